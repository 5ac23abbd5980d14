package io.ecfs.webhdfs;

import io.ecfs.layout.Policy;
import io.ecfs.wire.Await;
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
final class FileAttributeCalls {
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
            new Parameter<>("xattr.value", new byte[0], FileAttributeCalls::value);
    private static final Parameter<EnumSet<XAttrSetFlag>> XATTR_FLAG =
            new Parameter<>("flag", EnumSet.noneOf(XAttrSetFlag.class), FileAttributeCalls::flags);
    private static final Parameter<XAttrCodec> ENCODING =
            new Parameter<>("encoding", XAttrCodec.TEXT, text -> XAttrCodec.valueOf(text.toUpperCase(Locale.ROOT)));

    static final List<WebHdfsOperation> OPERATIONS = List.of(
            WebHdfsOperation.of(Verb.PUT, "SETPERMISSION", FileAttributeCalls::permission),
            WebHdfsOperation.of(Verb.PUT, "SETOWNER", FileAttributeCalls::owner),
            WebHdfsOperation.of(Verb.PUT, "SETTIMES", FileAttributeCalls::times),
            WebHdfsOperation.of(Verb.PUT, "SETREPLICATION", FileAttributeCalls::replication),
            WebHdfsOperation.of(Verb.PUT, "SETQUOTA", FileAttributeCalls::quota),
            WebHdfsOperation.of(Verb.PUT, "SETECPOLICY", FileAttributeCalls::setPolicy),
            WebHdfsOperation.of(Verb.POST, "UNSETECPOLICY", FileAttributeCalls::unsetPolicy),
            WebHdfsOperation.of(Verb.GET, "GETECPOLICY", FileAttributeCalls::policy),
            WebHdfsOperation.of(Verb.GET, "GETXATTRS", FileAttributeCalls::xattrs),
            WebHdfsOperation.of(Verb.GET, "LISTXATTRS", FileAttributeCalls::xattrNames),
            WebHdfsOperation.of(Verb.PUT, "SETXATTR", FileAttributeCalls::setXattr),
            WebHdfsOperation.of(Verb.PUT, "REMOVEXATTR", FileAttributeCalls::removeXattr));

    private FileAttributeCalls() {}

    private static WebHdfsAnswer permission(WebHdfsCall call) throws IOException {
        call.files().setPermission(call.path(), FsPermission.createImmutable((short) (int) call.get(MODE)));
        return WebHdfsAnswer.done();
    }

    private static WebHdfsAnswer owner(WebHdfsCall call) throws IOException {
        String owner = call.get(OWNER);
        String group = call.get(GROUP);
        if (owner.isEmpty() && group.isEmpty()) {
            throw new IllegalArgumentException("Both owner and group are empty.");
        }
        call.files().setOwner(call.path(), owner.isEmpty() ? null : owner, group.isEmpty() ? null : group);
        return WebHdfsAnswer.done();
    }

    private static WebHdfsAnswer times(WebHdfsCall call) throws IOException {
        call.files().setTimes(call.path(), call.get(MODIFIED), call.get(ACCESSED));
        return WebHdfsAnswer.done();
    }

    private static WebHdfsAnswer replication(WebHdfsCall call) throws IOException {
        return NameCalls.truth(
                call.files().setReplication(call.path(), (short) Math.min(Short.MAX_VALUE, call.get(REPLICATION))));
    }

    private static WebHdfsAnswer quota(WebHdfsCall call) throws IOException {
        call.files().setQuota(call.path(), call.get(NAMES), call.get(SPACE));
        return WebHdfsAnswer.done();
    }

    private static WebHdfsAnswer setPolicy(WebHdfsCall call) throws IOException {
        Await.result(call.client().setPolicy(call.filePath(), call.query().required(POLICY, "SETECPOLICY")));
        return WebHdfsAnswer.done();
    }

    private static WebHdfsAnswer unsetPolicy(WebHdfsCall call) throws IOException {
        Await.result(call.client().setPolicy(call.filePath(), Optional.empty()));
        return WebHdfsAnswer.done();
    }

    private static WebHdfsAnswer policy(WebHdfsCall call) throws IOException {
        Policy policy = Await.result(call.client().status(call.filePath())).policy();
        return WebHdfsAnswer.json(
                "ErasureCodingPolicy",
                Map.of(
                        "name", policy.name(),
                        "cellSize", policy.cellBytes(),
                        "numDataUnits", policy.dataChunks(),
                        "numParityUnits", policy.parityChunks()));
    }

    private static WebHdfsAnswer xattrs(WebHdfsCall call) throws IOException {
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
        return WebHdfsAnswer.json("XAttrs", forms);
    }

    /** HDFS sends the list of names as JSON in a string. */
    private static WebHdfsAnswer xattrNames(WebHdfsCall call) throws IOException {
        return WebHdfsAnswer.json(
                "XAttrNames", WebHdfsAnswer.JSON.writeValueAsString(call.files().listXAttrs(call.path())));
    }

    private static WebHdfsAnswer setXattr(WebHdfsCall call) throws IOException {
        EnumSet<XAttrSetFlag> flags = call.get(XATTR_FLAG);
        if (flags.isEmpty()) {
            throw new IllegalArgumentException("A flag must be specified.");
        }
        call.files().setXAttr(call.path(), call.query().required(XATTR_NAME, "SETXATTR"), call.get(XATTR_VALUE), flags);
        return WebHdfsAnswer.done();
    }

    private static WebHdfsAnswer removeXattr(WebHdfsCall call) throws IOException {
        call.files().removeXAttr(call.path(), call.query().required(XATTR_NAME, "REMOVEXATTR"));
        return WebHdfsAnswer.done();
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
