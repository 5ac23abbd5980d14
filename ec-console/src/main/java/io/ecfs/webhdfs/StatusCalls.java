package io.ecfs.webhdfs;

import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest.ListStatus;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FsServerDefaults;
import org.apache.hadoop.fs.FsStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsAction;

/** Queries of files, directories and the cluster. */
final class StatusCalls {
    static final Parameter<Long> OFFSET = Parameter.number("offset", 0, 0);
    static final Parameter<Long> LENGTH = Parameter.number("length", -1, 0);
    private static final Parameter<String> START_AFTER = Parameter.text("startafter");
    private static final Parameter<FsAction> ACTION = new Parameter<>("fsaction", FsAction.NONE, StatusCalls::action);

    static final List<WebHdfsOperation> OPERATIONS = List.of(
            WebHdfsOperation.of(Verb.GET, "GETFILESTATUS", StatusCalls::status),
            WebHdfsOperation.of(Verb.GET, "GETFILELINKSTATUS", StatusCalls::status), // there are no links
            WebHdfsOperation.of(Verb.GET, "LISTSTATUS", StatusCalls::list),
            WebHdfsOperation.of(Verb.GET, "LISTSTATUS_BATCH", StatusCalls::page),
            WebHdfsOperation.of(Verb.GET, "GETCONTENTSUMMARY", StatusCalls::summary),
            WebHdfsOperation.of(Verb.GET, "GETQUOTAUSAGE", StatusCalls::usage),
            WebHdfsOperation.of(Verb.GET, "GETFILEBLOCKLOCATIONS", StatusCalls::locations),
            WebHdfsOperation.of(Verb.GET, "GET_BLOCK_LOCATIONS", StatusCalls::oldLocations),
            WebHdfsOperation.of(Verb.GET, "CHECKACCESS", StatusCalls::access),
            WebHdfsOperation.of(
                    Verb.GET, "GETHOMEDIRECTORY", call -> path(call.files().getHomeDirectory())),
            WebHdfsOperation.of(
                    Verb.GET, "GETTRASHROOT", call -> path(call.files().getTrashRoot(call.path()))),
            WebHdfsOperation.of(Verb.GET, "GETSERVERDEFAULTS", StatusCalls::defaults),
            WebHdfsOperation.of(Verb.GET, "GETSTATUS", StatusCalls::space));

    private StatusCalls() {}

    private static WebHdfsAnswer status(WebHdfsCall call) throws IOException {
        return WebHdfsAnswer.json("FileStatus", JsonForms.status(call.files().getFileStatus(call.path()), ""));
    }

    /** The entries are asked for, page by page, while they are sent. */
    private static WebHdfsAnswer list(WebHdfsCall call) throws IOException {
        RemoteIterator<FileStatus> entries = call.files().listStatusIterator(call.path());
        return WebHdfsAnswer.streamed(json -> {
            json.writeStartObject();
            json.writeObjectFieldStart("FileStatuses");
            json.writeArrayFieldStart("FileStatus");
            while (entries.hasNext()) {
                json.writePOJO(entry(call, entries.next()));
            }
            json.writeEndArray();
            json.writeEndObject();
            json.writeEndObject();
        });
    }

    /** A file is listed with an empty name, a directory's entries with theirs. */
    private static Map<String, Object> entry(WebHdfsCall call, FileStatus entry) {
        boolean listed =
                entry.getPath().toUri().getPath().equals(call.path().toUri().getPath());
        return JsonForms.status(entry, listed ? "" : entry.getPath().getName());
    }

    /** One page; what remains is known to be something or nothing, not how much. */
    private static WebHdfsAnswer page(WebHdfsCall call) throws IOException {
        NamespaceReply.Listing page = call.files().listPage(call.path(), call.get(START_AFTER), ListStatus.MAX_PAGE);
        List<Map<String, Object>> entries = page.entries().stream()
                .map(found -> entry(call, call.files().hadoopStatus(found)))
                .toList();
        return WebHdfsAnswer.json(
                "DirectoryListing",
                Map.of(
                        "partialListing",
                        Map.of("FileStatuses", Map.of("FileStatus", entries)),
                        "remainingEntries",
                        page.more() ? 1 : 0));
    }

    private static WebHdfsAnswer summary(WebHdfsCall call) throws IOException {
        ContentSummary summary = call.files().getContentSummary(call.path());
        Map<String, Object> form = usage(summary);
        form.remove("fileAndDirectoryCount");
        form.put("directoryCount", summary.getDirectoryCount());
        form.put("fileCount", summary.getFileCount());
        form.put("length", summary.getLength());
        form.put("ecPolicy", summary.getErasureCodingPolicy());
        return WebHdfsAnswer.json("ContentSummary", form);
    }

    private static WebHdfsAnswer usage(WebHdfsCall call) throws IOException {
        return WebHdfsAnswer.json("QuotaUsage", usage(call.files().getQuotaUsage(call.path())));
    }

    private static Map<String, Object> usage(QuotaUsage usage) {
        Map<String, Object> form = new TreeMap<>();
        form.put("fileAndDirectoryCount", usage.getFileAndDirectoryCount());
        form.put("quota", usage.getQuota());
        form.put("spaceConsumed", usage.getSpaceConsumed());
        form.put("spaceQuota", usage.getSpaceQuota());
        form.put("typeQuota", Map.of());
        return form;
    }

    private static WebHdfsAnswer locations(WebHdfsCall call) throws IOException {
        return WebHdfsAnswer.json(
                "BlockLocations",
                Map.of(
                        "BlockLocation",
                        Arrays.stream(call.files().getFileBlockLocations(call.path(), call.get(OFFSET), length(call)))
                                .map(JsonForms::location)
                                .toList()));
    }

    /** Clients before Hadoop 3.4 ask so. */
    private static WebHdfsAnswer oldLocations(WebHdfsCall call) throws IOException {
        FileStatus status = call.files().getFileStatus(call.path());
        return WebHdfsAnswer.json(
                "LocatedBlocks",
                JsonForms.locatedBlocks(
                        status.getLen(),
                        call.files().getFileBlockLocations(call.path(), call.get(OFFSET), length(call))));
    }

    static long length(WebHdfsCall call) {
        long length = call.get(LENGTH);
        return length < 0 ? Long.MAX_VALUE : length;
    }

    private static WebHdfsAnswer access(WebHdfsCall call) throws IOException {
        call.files().access(call.path(), call.query().required(ACTION, "CHECKACCESS"));
        return WebHdfsAnswer.done();
    }

    private static FsAction action(String symbol) {
        FsAction action = FsAction.getFsAction(symbol);
        if (action == null) {
            throw new IllegalArgumentException(
                    "Invalid value: \"" + symbol + "\" does not belong to the domain [r-][w-][x-]");
        }
        return action;
    }

    private static WebHdfsAnswer path(Path path) {
        return WebHdfsAnswer.json("Path", path.toUri().getPath());
    }

    private static WebHdfsAnswer defaults(WebHdfsCall call) throws IOException {
        FsServerDefaults defaults = call.files().getServerDefaults(call.path());
        Map<String, Object> form = new TreeMap<>();
        form.put("blockSize", defaults.getBlockSize());
        form.put("bytesPerChecksum", defaults.getBytesPerChecksum());
        form.put("checksumType", defaults.getChecksumType().id);
        form.put("defaultStoragePolicyId", defaults.getDefaultStoragePolicyId());
        form.put("encryptDataTransfer", defaults.getEncryptDataTransfer());
        form.put("fileBufferSize", defaults.getFileBufferSize());
        form.put("keyProviderUri", defaults.getKeyProviderUri());
        form.put("replication", defaults.getReplication());
        form.put("trashInterval", defaults.getTrashInterval());
        form.put("writePacketSize", defaults.getWritePacketSize());
        return WebHdfsAnswer.json("FsServerDefaults", form);
    }

    private static WebHdfsAnswer space(WebHdfsCall call) throws IOException {
        FsStatus status = call.files().getStatus(call.path());
        return WebHdfsAnswer.json(
                "FsStatus",
                Map.of("capacity", status.getCapacity(), "remaining", status.getRemaining(), "used", status.getUsed()));
    }
}
