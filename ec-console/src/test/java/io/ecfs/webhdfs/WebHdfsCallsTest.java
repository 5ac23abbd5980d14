package io.ecfs.webhdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.NamespaceRequest.ListStatus;
import io.ecfs.wire.Await;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.web.resources.DeleteOpParam;
import org.apache.hadoop.hdfs.web.resources.GetOpParam;
import org.apache.hadoop.hdfs.web.resources.PostOpParam;
import org.apache.hadoop.hdfs.web.resources.PutOpParam;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Each call once, as HDFS documents it. */
@ExtendWith(WebHdfsTester.Started.class)
class WebHdfsCallsTest {
    private static final byte[] BYTES = new byte[300_000];

    static {
        new Random(7).nextBytes(BYTES);
    }

    private final WebHdfsTester web;

    WebHdfsCallsTest(WebHdfsTester web) {
        this.web = web;
    }

    private static void assertDone(HttpResponse<byte[]> answer) {
        assertThat(answer.statusCode())
                .as(new String(answer.body(), StandardCharsets.UTF_8))
                .isEqualTo(200);
        assertThat(answer.body()).isEmpty();
    }

    private void assertJson(HttpResponse<byte[]> answer, String expected) throws Exception {
        assertThat(web.json(answer)).isEqualTo(WebHdfsTester.json(expected));
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/json;charset=utf-8");
    }

    @Test
    void tableHasEveryOperationOfHadoopsClient() {
        List<String> known = Stream.of(
                        Stream.of(GetOpParam.Op.values()).map(op -> "GET " + op),
                        Stream.of(PutOpParam.Op.values()).map(op -> "PUT " + op),
                        Stream.of(PostOpParam.Op.values()).map(op -> "POST " + op),
                        Stream.of(DeleteOpParam.Op.values()).map(op -> "DELETE " + op))
                .flatMap(ops -> ops)
                .toList();
        List<String> handled = new Operations()
                .all().stream()
                        .map(operation -> operation.verb() + " " + operation.name())
                        .toList();
        assertThat(handled).containsExactlyInAnyOrderElementsOf(known);
    }

    @Test
    void getFileStatusHasHdfssFields() throws Exception {
        String file = web.directory("/status") + "/f";
        web.write(file, BYTES);
        ObjectNode status =
                (ObjectNode) web.json(web.send("GET", file, "op=GETFILESTATUS")).get("FileStatus");
        assertThat(status.remove("modificationTime").asLong()).isPositive();
        assertThat(status.remove("accessTime").asLong()).isPositive();
        assertThat(status.remove("fileId").asLong()).isPositive();
        assertThat((JsonNode) status)
                .isEqualTo(WebHdfsTester.json("{'blockSize':134217728,'childrenNum':0,'ecBit':true,"
                        + "'ecPolicy':'xor-2-1-64k','group':'supergroup','length':300000,'owner':'"
                        + WebHdfsTester.SUPERUSER + "','pathSuffix':'','permission':'644','replication':1,"
                        + "'storagePolicy':0,'type':'FILE'}"));
    }

    @Test
    void listStatusNamesTheEntries() throws Exception {
        web.directory("/list/b");
        web.write("/list/a", BYTES);
        JsonNode entries = web.json(web.send("GET", "/list", "op=LISTSTATUS")).at("/FileStatuses/FileStatus");
        assertThat(entries.findValuesAsText("pathSuffix")).containsExactly("a", "b");
        assertThat(entries.findValuesAsText("type")).containsExactly("FILE", "DIRECTORY");
    }

    @Test
    void listStatusSendsALongListAsItIsFound() throws Exception {
        String directory = web.directory("/long");
        List<String> names = IntStream.range(0, ListStatus.MAX_PAGE + 1)
                .mapToObj(i -> String.format(Locale.ROOT, "d%04d", i))
                .toList();
        List<CompletableFuture<Void>> made = names.stream()
                .map(name -> web.client().mkdirs(new FilePath(directory + "/" + name), 0755, true))
                .toList();
        for (CompletableFuture<Void> one : made) {
            Await.result(one);
        }
        HttpResponse<byte[]> answer = web.send("GET", directory, "op=LISTSTATUS");
        assertThat(web.json(answer).at("/FileStatuses/FileStatus").findValuesAsText("pathSuffix"))
                .isEqualTo(names);
        assertThat(answer.headers().firstValue("Transfer-Encoding")).contains("chunked");
    }

    @Test
    void aFileIsListedWithoutAName() throws Exception {
        web.write(web.directory("/listed") + "/f", BYTES);
        JsonNode entries =
                web.json(web.send("GET", "/listed/f", "op=LISTSTATUS")).at("/FileStatuses/FileStatus");
        assertThat(entries.findValuesAsText("pathSuffix")).containsExactly("");
    }

    @Test
    void listStatusBatchGoesOnBehindAName() throws Exception {
        for (String name : List.of("a", "b", "c")) {
            web.directory("/batch/" + name);
        }
        JsonNode listing = web.json(web.send("GET", "/batch", "op=LISTSTATUS_BATCH&startAfter=a"))
                .get("DirectoryListing");
        assertThat(listing.at("/partialListing/FileStatuses/FileStatus").findValuesAsText("pathSuffix"))
                .containsExactly("b", "c");
        assertThat(listing.get("remainingEntries").asInt()).isZero();
    }

    @Test
    void createRedirectsAndStoresTheBody() throws Exception {
        web.directory("/create");
        HttpResponse<byte[]> first = web.send("PUT", "/create/new/f", "op=CREATE&permission=600");
        assertThat(first.statusCode()).isEqualTo(307);
        assertThat(first.headers().firstValue("Location"))
                .contains("http://127.0.0.1:" + web.port()
                        + "/webhdfs/v1/create/new/f?op=CREATE&permission=600&user.name=" + WebHdfsTester.SUPERUSER
                        + "&data=true");
        HttpResponse<byte[]> second = web.sendTwice("PUT", "/create/new/f", "op=CREATE&permission=600", BYTES);
        assertThat(second.statusCode()).isEqualTo(201);
        assertThat(second.headers().firstValue("Location"))
                .contains("webhdfs://127.0.0.1:" + web.port() + "/create/new/f");
        assertThat(web.read("/create/new/f")).isEqualTo(BYTES);
        assertThat(Await.result(web.client().status(new FilePath("/create/new/f")))
                        .permissions())
                .isEqualTo(0600);
    }

    @Test
    void noRedirectAnswersTheLocation() throws Exception {
        String file = web.directory("/noredirect") + "/f";
        web.write(file, BYTES);
        HttpResponse<byte[]> answer = web.send("GET", file, "op=OPEN&noredirect=true");
        assertJson(
                answer,
                "{'Location':'http://127.0.0.1:" + web.port() + "/webhdfs/v1" + file + "?op=OPEN&user.name="
                        + WebHdfsTester.SUPERUSER + "&data=true'}");
    }

    @Test
    void openReadsARange() throws Exception {
        String file = web.directory("/open") + "/f";
        web.write(file, BYTES);
        HttpResponse<byte[]> answer =
                web.sendTwice("GET", file, "op=OPEN&offset=100000&length=150000&buffersize=4096", new byte[0]);
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/octet-stream");
        assertThat(answer.headers().firstValue("Content-Length")).contains("150000");
        assertThat(answer.body()).isEqualTo(java.util.Arrays.copyOfRange(BYTES, 100_000, 250_000));
    }

    @Test
    void openBehindTheEndIsRefusedAsByHdfs() throws Exception {
        String file = web.directory("/behind") + "/f";
        web.write(file, BYTES);
        assertThat(web.json(web.send("GET", file, "op=OPEN&offset=300000"))
                        .at("/RemoteException/message")
                        .asText())
                .isEqualTo("Offset=300000 out of the range [0, 300000); OPEN, path=/behind/f");
    }

    @Test
    void aNameWithSignsIsReadAsItWasWritten() throws Exception {
        web.directory("/signs");
        String name = "/signs/a%20b+c;d=%25%C3%A9:x%5Cy";
        assertThat(web.sendTwice("PUT", name, "op=CREATE", BYTES).statusCode()).isEqualTo(201);
        assertThat(web.read("/signs/a b+c;d=%é:x\\y")).isEqualTo(BYTES);
    }

    @Test
    void appendGoesOnBehindTheEnd() throws Exception {
        String file = web.directory("/append") + "/f";
        web.write(file, BYTES);
        assertDone(web.sendTwice("POST", file, "op=APPEND", "more".getBytes(StandardCharsets.UTF_8)));
        assertThat(web.read(file)).hasSize(BYTES.length + 4).endsWith("more".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void concatMovesTheSourcesBehindTheTarget() throws Exception {
        web.directory("/concat");
        web.write("/concat/a", BYTES);
        web.write("/concat/b", BYTES);
        assertDone(web.send("POST", "/concat/a", "op=CONCAT&sources=/concat/b"));
        assertThat(web.read("/concat/a")).hasSize(2 * BYTES.length);
    }

    @Test
    void truncateCuts() throws Exception {
        String file = web.directory("/truncate") + "/f";
        web.write(file, BYTES);
        assertJson(web.send("POST", file, "op=TRUNCATE&newlength=10"), "{'boolean':true}");
        assertThat(web.read(file)).hasSize(10);
    }

    @Test
    void mkdirsMakesWithTheGivenMode() throws Exception {
        assertJson(web.send("PUT", "/mkdirs/x/y", "op=MKDIRS&permission=711"), "{'boolean':true}");
        assertThat(Await.result(web.client().status(new FilePath("/mkdirs/x/y")))
                        .permissions())
                .isEqualTo(0711);
    }

    @Test
    void renameAnswersWithABoolean() throws Exception {
        web.directory("/rename/a");
        assertJson(web.send("PUT", "/rename/a", "op=RENAME&destination=/rename/b"), "{'boolean':true}");
        assertJson(web.send("PUT", "/rename/a", "op=RENAME&destination=/rename/c"), "{'boolean':false}");
    }

    @Test
    void renameWithOptionsAnswersNothing() throws Exception {
        web.directory("/rename2");
        web.write("/rename2/a", BYTES);
        web.write("/rename2/b", new byte[0]);
        assertDone(web.send("PUT", "/rename2/a", "op=RENAME&destination=/rename2/b&renameoptions=OVERWRITE"));
        assertThat(web.read("/rename2/b")).isEqualTo(BYTES);
    }

    @Test
    void deleteAnswersWithABoolean() throws Exception {
        web.directory("/delete/a/b");
        assertJson(web.send("DELETE", "/delete/a", "op=DELETE&recursive=true"), "{'boolean':true}");
        assertJson(web.send("DELETE", "/delete/a", "op=DELETE"), "{'boolean':false}");
    }

    @Test
    void attributesAreSet() throws Exception {
        String file = web.directory("/attributes") + "/f";
        web.write(file, BYTES);
        assertDone(web.send("PUT", file, "op=SETPERMISSION&permission=640"));
        assertDone(web.send("PUT", file, "op=SETOWNER&owner=ann&group=staff"));
        assertDone(web.send("PUT", file, "op=SETTIMES&modificationtime=1000&accesstime=2000"));
        assertJson(web.send("PUT", file, "op=SETREPLICATION&replication=2"), "{'boolean':true}");
        JsonNode status = web.json(web.send("GET", file, "op=GETFILESTATUS")).get("FileStatus");
        assertThat(Stream.of("permission", "owner", "group", "modificationTime", "accessTime")
                        .map(field -> status.get(field).asText()))
                .containsExactly("640", "ann", "staff", "1000", "2000");
    }

    @Test
    void theCodeOfADirectoryIsSetAndUnset() throws Exception {
        web.directory("/code");
        assertDone(web.send("PUT", "/code", "op=SETECPOLICY&ecpolicy=replication-2-64k"));
        assertJson(
                web.send("GET", "/code", "op=GETECPOLICY"),
                "{'ErasureCodingPolicy':{'cellSize':65536,'name':'replication-2-64k','numDataUnits':1,"
                        + "'numParityUnits':1}}");
        assertDone(web.send("POST", "/code", "op=UNSETECPOLICY"));
        assertThat(Await.result(web.client().status(new FilePath("/code")))
                        .policy()
                        .name())
                .isEqualTo("xor-2-1-64k");
    }

    @Test
    void extendedAttributesComeInTheWantedEncoding() throws Exception {
        String file = web.directory("/xattrs") + "/f";
        web.write(file, BYTES);
        assertDone(web.send("PUT", file, "op=SETXATTR&xattr.name=user.a&xattr.value=%22x%22&flag=CREATE"));
        assertDone(web.send("PUT", file, "op=SETXATTR&xattr.name=user.b&xattr.value=0x01ff&flag=CREATE,REPLACE"));
        assertJson(
                web.send("GET", file, "op=GETXATTRS&xattr.name=user.a"),
                "{'XAttrs':[{'name':'user.a','value':'\\'x\\''}]}".replace("\\'", "\\\""));
        assertJson(
                web.send("GET", file, "op=GETXATTRS&encoding=hex"),
                "{'XAttrs':[{'name':'user.a','value':'0x78'},{'name':'user.b','value':'0x01ff'}]}");
        assertThat(web.json(web.send("GET", file, "op=LISTXATTRS"))
                        .get("XAttrNames")
                        .asText())
                .isEqualTo("[\"user.a\",\"user.b\"]");
        assertDone(web.send("PUT", file, "op=REMOVEXATTR&xattr.name=user.a"));
        assertThat(Await.result(web.client().xattrs(new FilePath(file)))).hasSize(1);
    }

    @Test
    void aclsAreChangedAndShown() throws Exception {
        String directory = web.directory("/acls");
        assertDone(web.send("PUT", directory, "op=SETACL&aclspec=user::rwx,user:carla:rw-,group::r-x,other::---"));
        assertDone(web.send("PUT", directory, "op=MODIFYACLENTRIES&aclspec=default:user:carla:r--"));
        JsonNode acl = web.json(web.send("GET", directory, "op=GETACLSTATUS")).get("AclStatus");
        assertThat(acl.get("entries").toString()).contains("\"user:carla:rw-\"", "\"default:user:carla:r--\"");
        assertThat(acl.get("stickyBit").asBoolean()).isFalse();
        assertDone(web.send("PUT", directory, "op=REMOVEACLENTRIES&aclspec=user:carla"));
        assertDone(web.send("PUT", directory, "op=REMOVEDEFAULTACL"));
        assertDone(web.send("PUT", directory, "op=REMOVEACL"));
        assertThat(web.json(web.send("GET", directory, "op=GETACLSTATUS"))
                        .at("/AclStatus/entries")
                        .size())
                .isZero();
    }

    @Test
    void contentSummaryAndQuotaUsage() throws Exception {
        web.directory("/sums/a");
        web.write("/sums/a/f", BYTES);
        assertDone(web.send("PUT", "/sums", "op=SETQUOTA&namespacequota=10&storagespacequota=100000000"));
        JsonNode summary =
                web.json(web.send("GET", "/sums", "op=GETCONTENTSUMMARY")).get("ContentSummary");
        assertThat(Stream.of("directoryCount", "fileCount", "length", "quota", "spaceQuota")
                        .map(field -> summary.get(field).asLong()))
                .containsExactly(2L, 1L, 300_000L, 10L, 100_000_000L);
        JsonNode usage = web.json(web.send("GET", "/sums", "op=GETQUOTAUSAGE")).get("QuotaUsage");
        assertThat(usage.get("fileAndDirectoryCount").asLong()).isEqualTo(3);
        assertThat(usage.get("spaceConsumed").asLong()).isPositive();
    }

    @Test
    void checksumIsOfTheContent() throws Exception {
        String file = web.directory("/checksum") + "/f";
        web.write(file, "123456789".getBytes(StandardCharsets.UTF_8));
        assertJson(
                web.sendTwice("GET", file, "op=GETFILECHECKSUM", new byte[0]),
                "{'FileChecksum':{'algorithm':'COMPOSITE-CRC32C','bytes':'e3069283','length':4}}");
    }

    @Test
    void homeAndTrashAreTheUsers() throws Exception {
        String home = "/user/" + WebHdfsTester.SUPERUSER;
        assertJson(web.send("GET", "/", "op=GETHOMEDIRECTORY"), "{'Path':'" + home + "'}");
        assertJson(web.send("GET", "/x", "op=GETTRASHROOT"), "{'Path':'" + home + "/.Trash'}");
    }

    /** Writes a file and waits until the datanodes have reported its chunks: until then they are nowhere. */
    private String locatedFile(String directory) throws Exception {
        String file = web.directory(directory) + "/f";
        web.write(file, BYTES);
        await("the chunks of " + file + " to be reported")
                .atMost(Duration.ofSeconds(30))
                .until(() -> locations(file).at("/0/hosts").size() == 2);
        return file;
    }

    private JsonNode locations(String file) throws Exception {
        return web.json(web.send("GET", file, "op=GETFILEBLOCKLOCATIONS&offset=0&length=300000"))
                .at("/BlockLocations/BlockLocation");
    }

    @Test
    void blockLocationsNameTheDatanodes() throws Exception {
        JsonNode block = locations(locatedFile("/blocks")).get(0);
        assertThat(block.get("length").asLong()).isEqualTo(300_000);
        assertThat(block.get("topologyPaths").get(0).asText()).startsWith("/rack0/");
    }

    @Test
    void olderClientsGetBlockLocationsInTheirForm() throws Exception {
        String file = locatedFile("/oldblocks");
        JsonNode blocks =
                web.json(web.send("GET", file, "op=GET_BLOCK_LOCATIONS")).get("LocatedBlocks");
        assertThat(blocks.get("fileLength").asLong()).isEqualTo(300_000);
        assertThat(blocks.at("/locatedBlocks/0/locations/0/networkLocation").asText())
                .isEqualTo("/rack0");
    }

    @Test
    void accessIsChecked() throws Exception {
        assertDone(web.send("GET", web.directory("/access"), "op=CHECKACCESS&fsaction=rwx"));
    }

    @Test
    void defaultsAndSpaceOfTheCluster() throws Exception {
        JsonNode defaults =
                web.json(web.send("GET", "/", "op=GETSERVERDEFAULTS")).get("FsServerDefaults");
        assertThat(defaults.get("blockSize").asLong()).isPositive();
        JsonNode space = web.json(web.send("GET", "/", "op=GETSTATUS")).get("FsStatus");
        assertThat(space.get("capacity").asLong()).isPositive();
    }

    @Test
    void thereAreNoDelegationTokens() throws Exception {
        assertJson(web.send("GET", "/", "op=GETDELEGATIONTOKEN&renewer=x"), "{'Token':null}");
        assertThat(web.json(web.send("PUT", "/", "op=RENEWDELEGATIONTOKEN&token=x"))
                        .at("/RemoteException/exception")
                        .asText())
                .isEqualTo("InvalidToken");
    }

    @Test
    void whatEcfsHasNotIsUnsupported() throws Exception {
        HttpResponse<byte[]> answer = web.send("PUT", "/", "op=CREATESNAPSHOT");
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(web.json(answer))
                .isEqualTo(WebHdfsTester.json("{'RemoteException':{'exception':'UnsupportedOperationException',"
                        + "'javaClassName':'java.lang.UnsupportedOperationException',"
                        + "'message':'CREATESNAPSHOT is not supported'}}"));
    }

    @Test
    void operationsAreFoundInAnyCase() throws Exception {
        assertThat(web.send("GET", "/", "OP=getfilestatus").statusCode()).isEqualTo(200);
    }

    @Test
    void theLocationOfAStepIsAUri() throws Exception {
        web.directory("/uri");
        HttpResponse<byte[]> first = web.send("PUT", "/uri/a%20b", "op=CREATE");
        assertThat(Optional.of(first.headers().firstValue("Location").orElseThrow())
                        .map(URI::create))
                .map(URI::getPath)
                .contains("/webhdfs/v1/uri/a b");
    }
}
