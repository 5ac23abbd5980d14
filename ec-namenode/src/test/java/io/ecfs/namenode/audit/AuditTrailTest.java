package io.ecfs.namenode.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.env.ManualTime;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.InodeId;
import io.ecfs.message.FilePath;
import io.ecfs.message.Message;
import io.ecfs.message.RequestId;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.report.AuditForm;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AuditTrailTest {
    private static final AuditCaller ANN = new AuditCaller("ann", "10.0.0.7", "client cli");
    private static final int QUEUE = 4;

    private final ManualTime time = new ManualTime(1);
    private final List<String> lines = new ArrayList<>();
    private boolean diskFull;
    private final AuditSink sink = text -> {
        if (diskFull) {
            throw new IOException("No space left on device");
        }
        text.lines().forEach(lines::add);
    };
    private final AuditTrail trail = trail(false);

    private AuditTrail trail(boolean reads) {
        return new AuditTrail(
                "nn0",
                time.environment(),
                new AuditSettings(AuditSettings.Target.FILE, Optional.empty(), 1 << 20, 1, QUEUE, reads),
                sink);
    }

    private static NamespaceRequest mkdirs(String path) {
        return new NamespaceRequest.Mkdirs(new RequestId("c", 7), new FilePath(path), 0750, true);
    }

    private static NamespaceRequest delete(String path) {
        return new NamespaceRequest.Delete(new RequestId("c", 8), new FilePath(path), true);
    }

    private static NamespaceRequest status(String path) {
        return new NamespaceRequest.GetStatus(new FilePath(path));
    }

    private CompletableFuture<Message> done(NamespaceRequest request) {
        return trail.record(ANN, request, () -> CompletableFuture.<Message>completedFuture(new NamespaceReply.Done()));
    }

    private CompletableFuture<Message> fails(NamespaceRequest request, ErrorCode code) {
        return trail.record(ANN, request, () -> CompletableFuture.<Message>failedFuture(new EcfsException(code, "no")));
    }

    private static Map<String, String> fields(String line) {
        Map<String, String> fields = new TreeMap<>();
        for (String field : line.substring(AuditForm.HEAD_CHARACTERS).split("\t", -1)) {
            fields.put(field.substring(0, field.indexOf('=')), field.substring(field.indexOf('=') + 1));
        }
        return fields;
    }

    private Map<String, String> only() {
        time.advance(Duration.ZERO);
        assertThat(lines).hasSize(1);
        return fields(lines.get(0));
    }

    @Test
    void aChangeIsALineInHdfssFormat() {
        done(mkdirs("/a/b"));
        time.advance(Duration.ZERO);
        assertThat(lines)
                .containsExactly("2023-11-14 22:13:20,000 INFO ecfs.audit: allowed=true\tugi=ann (auth:SIMPLE)"
                        + "\tip=/10.0.0.7\tcmd=mkdirs\tsrc=/a/b\tdst=null\tperm=-:-:rwxr-x---\tproto=rpc"
                        + "\tcallerContext=client cli\tresult=OK\trequest=c#7\tdetail=");
    }

    @Test
    void aProxyUserIsNamedInHdfssForm() {
        AuditCaller caller = new AuditCaller("ann", "10.0.0.7", "client webhdfs via:hue");
        trail.record(caller, mkdirs("/a"), () -> CompletableFuture.completedFuture(new NamespaceReply.Done()));
        assertThat(only()).containsEntry("ugi", "ann (auth:PROXY) via hue (auth:SIMPLE)");
    }

    @Test
    void aDeniedChangeIsNotAllowed() {
        fails(delete("/a"), ErrorCode.ACCESS_DENIED);
        assertThat(only()).containsEntry("allowed", "false").containsEntry("result", "ACCESS_DENIED");
    }

    @Test
    void aChangeThatFailedWasAllowedAndHasItsResult() {
        fails(delete("/a"), ErrorCode.NOT_FOUND);
        assertThat(only()).containsEntry("allowed", "true").containsEntry("result", "NOT_FOUND");
    }

    @Test
    void aChangeForAnotherNamenodeIsNotRecorded() {
        for (int i = 0; i < 2 * QUEUE; i++) {
            fails(delete("/a"), ErrorCode.NOT_LEADER);
        }
        time.advance(Duration.ZERO);
        assertThat(lines).isEmpty();
        assertThat(trail.counts().waiting()).isZero();
    }

    @Test
    void aReadIsRecordedWhenItIsDenied() {
        done(status("/secret"));
        fails(status("/secret"), ErrorCode.ACCESS_DENIED);
        assertThat(only()).containsEntry("cmd", "getfileinfo").containsEntry("allowed", "false");
    }

    @Test
    void allReadsAreRecordedWhereThatIsSet() {
        trail(true)
                .record(ANN, status("/a"), () -> CompletableFuture.<Message>completedFuture(new NamespaceReply.Done()));
        assertThat(only()).containsEntry("src", "/a").containsEntry("allowed", "true");
    }

    @Test
    void noNameForgesALineOrAField() {
        done(new NamespaceRequest.RemoveXAttr(
                new RequestId("c\tugi=eve", 9), new FilePath("/a\u00e4\\"), "user.x\nallowed=true\tugi=eve\u202e"));
        assertThat(only())
                .containsEntry("ugi", "ann (auth:SIMPLE)")
                .containsEntry("src", "/a\u00e4\\\\")
                .containsEntry("request", "c\\tugi=eve#9")
                .containsEntry("detail", "name=user.x\\nallowed=true\\tugi=eve\\u202e");
    }

    @Test
    void aLeaseHoldersRequestHasTheFilesPath() {
        trail.resolveWith(inode -> Optional.of(new FilePath("/f" + inode.value())));
        done(new NamespaceRequest.AbandonFile(new RequestId("c", 1), new InodeId(17)));
        assertThat(only()).containsEntry("cmd", "abandonFile").containsEntry("src", "/f17");
    }

    @Test
    void aFullQueueRefusesChangesBeforeTheyAreExecuted() {
        diskFull = true;
        for (int i = 0; i < QUEUE; i++) {
            done(delete("/" + i));
        }
        time.advance(Duration.ofSeconds(3));
        List<String> executed = new ArrayList<>();
        assertThatThrownBy(() -> trail.record(ANN, delete("/more"), () -> {
                            executed.add("/more");
                            return CompletableFuture.<Message>completedFuture(new NamespaceReply.Done());
                        })
                        .join())
                .hasCauseInstanceOf(EcfsException.class)
                .hasMessageContaining("audit log of namenode nn0 has 4 changes under way or lines to write");
        assertThat(executed).isEmpty();
        assertThat(trail.counts()).isEqualTo(new AuditCounts(0, QUEUE, 1, 0, 4));
    }

    @Test
    void noLineIsLostWhenTheDiskHasRoomAgain() {
        diskFull = true;
        for (int i = 0; i < QUEUE; i++) {
            done(delete("/" + i));
        }
        time.advance(Duration.ofSeconds(3));
        diskFull = false;
        time.advance(Duration.ofSeconds(2));
        assertThat(lines).extracting(line -> fields(line).get("src")).containsExactly("/0", "/1", "/2", "/3");
        assertThat(trail.counts().waiting()).isZero();
    }

    /** Lines that arrive while the sink fails must not each bring a retry of their own. */
    @Test
    void aSinkThatFailsIsTriedOnceASecond() {
        AuditTrail[] busy = new AuditTrail[1];
        List<Long> attempts = new ArrayList<>();
        busy[0] = new AuditTrail(
                "nn0",
                time.environment(),
                new AuditSettings(AuditSettings.Target.FILE, Optional.empty(), 1 << 20, 1, 1000, false),
                text -> {
                    attempts.add(time.nanos());
                    busy[0].record(
                            ANN,
                            delete("/more"),
                            () -> CompletableFuture.<Message>completedFuture(new NamespaceReply.Done()));
                    throw new IOException("No space left on device");
                });
        busy[0].record(ANN, delete("/a"), () -> CompletableFuture.<Message>completedFuture(new NamespaceReply.Done()));
        time.advance(Duration.ofSeconds(10));
        assertThat(attempts).hasSizeBetween(10, 11);
    }

    @Test
    void textsOfARefusedRequestAreCut() {
        List<FilePath> sources = IntStream.range(0, 5000)
                .mapToObj(i -> new FilePath("/" + "s".repeat(200) + i))
                .toList();
        fails(
                new NamespaceRequest.Concat(new RequestId("c", 9), new FilePath("/to"), sources),
                ErrorCode.ACCESS_DENIED);
        assertThat(only().get("src")).hasSizeLessThan(AuditedOperation.MOST_CHARACTERS + 10);
        assertThat(lines.get(0)).contains("cmd=concat", "dst=/to");
    }

    @Test
    void deniedChangesLeaveRoomForOthers() {
        diskFull = true;
        for (int i = 0; i < 10; i++) {
            fails(delete("/" + i), ErrorCode.ACCESS_DENIED);
        }
        assertThat(done(delete("/a"))).isCompletedWithValue(new NamespaceReply.Done());
    }

    @Test
    void deniedReadsLeaveRoomForChanges() {
        diskFull = true;
        for (int i = 0; i < 10; i++) {
            fails(status("/" + i), ErrorCode.ACCESS_DENIED);
        }
        assertThat(done(delete("/a"))).isCompletedWithValue(new NamespaceReply.Done());
        assertThat(trail.counts().droppedReads()).isEqualTo(8);
    }

    @Test
    void whatWaitsIsWrittenAtTheEnd() throws IOException {
        done(delete("/a"));
        trail.close();
        assertThat(lines).hasSize(1);
    }
}
