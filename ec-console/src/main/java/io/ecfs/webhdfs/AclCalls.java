package io.ecfs.webhdfs;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.AclStatus;

/** Access control lists. */
final class AclCalls {
    private static final Parameter<List<AclEntry>> SPEC =
            new Parameter<>("aclspec", List.of(), text -> AclEntry.parseAclSpec(text, true));
    private static final Parameter<List<AclEntry>> NAMES =
            new Parameter<>("aclspec", List.of(), text -> AclEntry.parseAclSpec(text, false));

    static final List<Operation> OPERATIONS = List.of(
            Operation.of(Verb.GET, "GETACLSTATUS", AclCalls::status),
            Operation.of(Verb.PUT, "MODIFYACLENTRIES", AclCalls::modify),
            Operation.of(Verb.PUT, "REMOVEACLENTRIES", AclCalls::remove),
            Operation.of(Verb.PUT, "REMOVEDEFAULTACL", AclCalls::removeDefault),
            Operation.of(Verb.PUT, "REMOVEACL", AclCalls::removeAll),
            Operation.of(Verb.PUT, "SETACL", AclCalls::set));

    private AclCalls() {}

    private static Answer status(Call call) throws IOException {
        AclStatus status = call.files().getAclStatus(call.path());
        Map<String, Object> form = new TreeMap<>();
        form.put(
                "entries",
                status.getEntries().stream().map(AclEntry::toStringStable).toList());
        form.put("group", status.getGroup());
        form.put("owner", status.getOwner());
        form.put("permission", Integer.toOctalString(status.getPermission().toShort()));
        form.put("stickyBit", status.isStickyBit());
        return Answer.json("AclStatus", form);
    }

    private static Answer modify(Call call) throws IOException {
        call.files().modifyAclEntries(call.path(), call.query().required(SPEC, "MODIFYACLENTRIES"));
        return Answer.done();
    }

    private static Answer remove(Call call) throws IOException {
        call.files().removeAclEntries(call.path(), call.query().required(NAMES, "REMOVEACLENTRIES"));
        return Answer.done();
    }

    private static Answer removeDefault(Call call) throws IOException {
        call.files().removeDefaultAcl(call.path());
        return Answer.done();
    }

    private static Answer removeAll(Call call) throws IOException {
        call.files().removeAcl(call.path());
        return Answer.done();
    }

    private static Answer set(Call call) throws IOException {
        call.files().setAcl(call.path(), call.query().required(SPEC, "SETACL"));
        return Answer.done();
    }
}
