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

    static final List<WebHdfsOperation> OPERATIONS = List.of(
            WebHdfsOperation.of(Verb.GET, "GETACLSTATUS", AclCalls::status),
            WebHdfsOperation.of(Verb.PUT, "MODIFYACLENTRIES", AclCalls::modify),
            WebHdfsOperation.of(Verb.PUT, "REMOVEACLENTRIES", AclCalls::remove),
            WebHdfsOperation.of(Verb.PUT, "REMOVEDEFAULTACL", AclCalls::removeDefault),
            WebHdfsOperation.of(Verb.PUT, "REMOVEACL", AclCalls::removeAll),
            WebHdfsOperation.of(Verb.PUT, "SETACL", AclCalls::set));

    private AclCalls() {}

    private static WebHdfsAnswer status(WebHdfsCall call) throws IOException {
        AclStatus status = call.files().getAclStatus(call.path());
        Map<String, Object> form = new TreeMap<>();
        form.put(
                "entries",
                status.getEntries().stream().map(AclEntry::toStringStable).toList());
        form.put("group", status.getGroup());
        form.put("owner", status.getOwner());
        form.put("permission", Integer.toOctalString(status.getPermission().toShort()));
        form.put("stickyBit", status.isStickyBit());
        return WebHdfsAnswer.json("AclStatus", form);
    }

    private static WebHdfsAnswer modify(WebHdfsCall call) throws IOException {
        call.files().modifyAclEntries(call.path(), call.query().required(SPEC, "MODIFYACLENTRIES"));
        return WebHdfsAnswer.done();
    }

    private static WebHdfsAnswer remove(WebHdfsCall call) throws IOException {
        call.files().removeAclEntries(call.path(), call.query().required(NAMES, "REMOVEACLENTRIES"));
        return WebHdfsAnswer.done();
    }

    private static WebHdfsAnswer removeDefault(WebHdfsCall call) throws IOException {
        call.files().removeDefaultAcl(call.path());
        return WebHdfsAnswer.done();
    }

    private static WebHdfsAnswer removeAll(WebHdfsCall call) throws IOException {
        call.files().removeAcl(call.path());
        return WebHdfsAnswer.done();
    }

    private static WebHdfsAnswer set(WebHdfsCall call) throws IOException {
        call.files().setAcl(call.path(), call.query().required(SPEC, "SETACL"));
        return WebHdfsAnswer.done();
    }
}
