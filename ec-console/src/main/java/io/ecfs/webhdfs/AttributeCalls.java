package io.ecfs.webhdfs;

import io.ecfs.client.base.Await;
import io.ecfs.layout.Policy;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.fs.XAttrCodec;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsPermission;

/** Permissions, owners, times, quotas, codes and extended attributes. */
final class AttributeCalls {
    private static final Parameter<Integer> MODE = Parameter.mode("permission", 0755);
    private static final Parameter<String> OWNER = Parameter.text("owner");
    private static final Parameter<String> GROUP = Parameter.text("group");
    private static final Parameter<Long> MODIFIED = Parameter.number("modificationtime", -1, -1);
    private static final Parameter<Long> ACCESSED = Parameter.number("accesstime", -1, -1);
    private static final Parameter<Long> REPLICATION = Parameter.number("replication", 3, 1);
    private static final Parameter<Long> NAMES = Parameter.number("namespacequota", Long.MAX_VALUE, -1);
    private static final Parameter<Long> SPACE = Parameter.number("storagespacequota", Long.MAX_VALUE, -1);
    private static final Parameter<Optional<Policy>> POLICY =
            new Parameter<>("ecpolicy", Optional.empty(), text -> Optional.of(Policy.parse(text)));
    private static final Parameter<String> XATTR_NAME = Parameter.text("xattr.name");
    private static final Parameter<byte[]> XATTR_VALUE =
            new Parameter<>("xattr.value", new byte[0], AttributeCalls::value);
    private static final Parameter<EnumSet<XAttrSetFlag>> XATTR_FLAG =
            new Parameter<>("flag", EnumSet.noneOf(XAttrSetFlag.class), AttributeCalls::flags);
    private static final Parameter<XAttrCodec> ENCODING =
            new Parameter<>("encoding", XAttrCodec.TEXT, text -> XAttrCodec.valueOf(text.toUpperCase(Locale.ROOT)));

    static final List<Operation> OPERATIONS = List.of(
            Operation.of(Verb.PUT, "SETPERMISSION", AttributeCalls::permission),
            Operation.of(Verb.PUT, "SETOWNER", AttributeCalls::owner),
            Operation.of(Verb.PUT, "SETTIMES", AttributeCalls::times),
            Operation.of(Verb.PUT, "SETREPLICATION", AttributeCalls::replication),
            Operation.of(Verb.PUT, "SETQUOTA", AttributeCalls::quota),
            Operation.of(Verb.PUT, "SETECPOLICY", AttributeCalls::setPolicy),
            Operation.of(Verb.POST, "UNSETECPOLICY", AttributeCalls::unsetPolicy),
            Operation.of(Verb.GET, "GETECPOLICY", AttributeCalls::policy),
            Operation.of(Verb.GET, "GETXATTRS", AttributeCalls::xattrs),
            Operation.of(Verb.GET, "LISTXATTRS", AttributeCalls::xattrNames),
            Operation.of(Verb.PUT, "SETXATTR", AttributeCalls::setXattr),
            Operation.of(Verb.PUT, "REMOVEXATTR", AttributeCalls::removeXattr));

    private AttributeCalls() {}

    private static Answer permission(Call call) throws IOException {
        call.files().setPermission(call.path(), FsPermission.createImmutable((short) (int) call.get(MODE)));
        return Answer.done();
    }

    private static Answer owner(Call call) throws IOException {
        String owner = call.get(OWNER);
        String group = call.get(GROUP);
        if (owner.isEmpty() && group.isEmpty()) {
            throw new IllegalArgumentException("Both owner and group are empty.");
        }
        call.files().setOwner(call.path(), owner.isEmpty() ? null : owner, group.isEmpty() ? null : group);
        return Answer.done();
    }

    private static Answer times(Call call) throws IOException {
        call.files().setTimes(call.path(), call.get(MODIFIED), call.get(ACCESSED));
        return Answer.done();
    }

    private static Answer replication(Call call) throws IOException {
        return NameCalls.truth(
                call.files().setReplication(call.path(), (short) Math.min(Short.MAX_VALUE, call.get(REPLICATION))));
    }

    private static Answer quota(Call call) throws IOException {
        call.files().setQuota(call.path(), call.get(NAMES), call.get(SPACE));
        return Answer.done();
    }

    private static Answer setPolicy(Call call) throws IOException {
        Await.result(call.client().setPolicy(call.filePath(), call.query().required(POLICY, "SETECPOLICY")));
        return Answer.done();
    }

    private static Answer unsetPolicy(Call call) throws IOException {
        Await.result(call.client().setPolicy(call.filePath(), Optional.empty()));
        return Answer.done();
    }

    private static Answer policy(Call call) throws IOException {
        Policy policy = Await.result(call.client().status(call.filePath())).policy();
        return Answer.json(
                "ErasureCodingPolicy",
                Map.of(
                        "name", policy.name(),
                        "cellSize", policy.cellBytes(),
                        "numDataUnits", policy.dataChunks(),
                        "numParityUnits", policy.parityChunks()));
    }

    private static Answer xattrs(Call call) throws IOException {
        List<String> names = call.query().all(XATTR_NAME).stream()
                .filter(name -> !name.isEmpty())
                .toList();
        Map<String, byte[]> found = names.isEmpty()
                ? call.files().getXAttrs(call.path())
                : call.files().getXAttrs(call.path(), names);
        XAttrCodec encoding = call.get(ENCODING);
        List<Map<String, Object>> forms = new java.util.ArrayList<>();
        for (Map.Entry<String, byte[]> attribute : found.entrySet()) {
            Map<String, Object> form = new TreeMap<>();
            form.put("name", attribute.getKey());
            form.put("value", XAttrCodec.encodeValue(attribute.getValue(), encoding));
            forms.add(form);
        }
        return Answer.json("XAttrs", forms);
    }

    /** HDFS sends the list of names as JSON in a string. */
    private static Answer xattrNames(Call call) throws IOException {
        return Answer.json(
                "XAttrNames", Answer.JSON.writeValueAsString(call.files().listXAttrs(call.path())));
    }

    private static Answer setXattr(Call call) throws IOException {
        EnumSet<XAttrSetFlag> flags = call.get(XATTR_FLAG);
        if (flags.isEmpty()) {
            throw new IllegalArgumentException("A flag must be specified.");
        }
        call.files().setXAttr(call.path(), call.query().required(XATTR_NAME, "SETXATTR"), call.get(XATTR_VALUE), flags);
        return Answer.done();
    }

    private static Answer removeXattr(Call call) throws IOException {
        call.files().removeXAttr(call.path(), call.query().required(XATTR_NAME, "REMOVEXATTR"));
        return Answer.done();
    }

    private static byte[] value(String text) {
        try {
            return XAttrCodec.decodeValue(text);
        } catch (IOException e) {
            throw new IllegalArgumentException("Failed to parse \"" + text + "\": " + e.getMessage(), e);
        }
    }

    private static EnumSet<XAttrSetFlag> flags(String names) {
        EnumSet<XAttrSetFlag> flags = EnumSet.noneOf(XAttrSetFlag.class);
        Arrays.stream(names.split(","))
                .map(String::trim)
                .map(XAttrSetFlag::valueOf)
                .forEach(flags::add);
        return flags;
    }
}
