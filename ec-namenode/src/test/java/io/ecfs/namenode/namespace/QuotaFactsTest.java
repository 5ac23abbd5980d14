package io.ecfs.namenode.namespace;

import static io.ecfs.namenode.state.Ledger.path;
import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.GroupLayout;
import io.ecfs.layout.Policy;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest.Append;
import io.ecfs.message.namespace.NamespaceRequest.Concat;
import io.ecfs.message.namespace.NamespaceRequest.Create;
import io.ecfs.message.namespace.NamespaceRequest.RemoveXAttr;
import io.ecfs.message.namespace.NamespaceRequest.SetQuota;
import io.ecfs.message.namespace.NamespaceRequest.SetSafeMode;
import io.ecfs.message.namespace.NamespaceRequest.SetXAttr;
import io.ecfs.message.namespace.NamespaceRequest.Truncate;
import io.ecfs.message.namespace.XAttr;
import io.ecfs.namenode.cluster.Counter;
import io.ecfs.namenode.command.CallerIdentity;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.command.CommandResult;
import io.ecfs.namenode.log.ReplicatedState.Position;
import io.ecfs.namenode.state.Ledger;
import io.ecfs.namenode.state.MetadataState;
import io.ecfs.namenode.state.MetadataView;
import io.ecfs.namenode.store.MemoryStore;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Quotas are exact and hold; extended attributes; an operator's safe mode. */
class QuotaFactsTest {
    private static final CallerIdentity ALICE = new CallerIdentity("alice", List.of("staff"));
    private static final long GROUP = stored(Ledger.POLICY.groupBytes());

    private final Ledger ledger = new Ledger(new MemoryStore());

    private static long stored(long length) {
        return new GroupLayout(Ledger.POLICY, length).storedBytes();
    }

    private void quota(String path, long names, long space) {
        ledger.done(new SetQuota(ledger.request(), path(path), Optional.of(names), Optional.of(space)));
    }

    private NamespaceReply.Quota quota(String path) {
        try (MetadataView view = ledger.state.view()) {
            return view.namespace().quota(path(path), Ledger.ROOT);
        } catch (EcfsException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void spaceIsCountedAsTheChunksTakeIt() {
        ledger.done(ledger.mkdirs("/q"));
        ledger.write("/q/before", 100_000);
        quota("/q", 100, 10 * GROUP);
        assertThat(quota("/q").namesUsed()).isEqualTo(2);
        assertThat(quota("/q").spaceUsed()).isEqualTo(stored(100_000)).isGreaterThanOrEqualTo(200_000);

        CommandResult.Created open = ledger.open("/q/open");
        assertThat(quota("/q").spaceUsed())
                .as("a group being written is a full one")
                .isEqualTo(stored(100_000) + GROUP);
        ledger.close(open, 5000);
        assertThat(quota("/q").spaceUsed()).isEqualTo(stored(100_000) + stored(5000));

        ledger.done(ledger.delete("/q/before"));
        assertThat(quota("/q").namesUsed()).isEqualTo(2);
        assertThat(quota("/q").spaceUsed()).isEqualTo(stored(5000));
    }

    @Test
    void whatWouldHoldMoreThanItMayIsRefusedAndChangesNothing() {
        ledger.done(ledger.mkdirs("/q/sub"));
        quota("/q", 3, 2 * GROUP - 1);
        ledger.write("/q/f", 1000);
        long hash = ledger.state.stateHash();
        CommandResult refused = ledger.call(ledger.mkdirs("/q/more"));
        ledger.refused(refused, ErrorCode.QUOTA_EXCEEDED);
        assertThat(refused.toString()).contains("/q", "3 names");
        ledger.refused(ledger.create("/q/sub/g", false), ErrorCode.QUOTA_EXCEEDED);
        assertThat(hash).isNotZero();
        assertThat(quota("/q").namesUsed()).isEqualTo(3);

        ledger.done(ledger.delete("/q/sub"));
        CommandResult.Created first = ledger.open("/q/g");
        ledger.refused(ledger.create("/q/f", true), ErrorCode.QUOTA_EXCEEDED);
        ledger.close(first, 10);
        ledger.write("/elsewhere", 10);
        ledger.refused(ledger.rename("/elsewhere", "/q/h", false), ErrorCode.QUOTA_EXCEEDED);
        ledger.done(ledger.rename("/q/g", "/q/renamed", false));
    }

    @Test
    void aSubtreeThatMovesTakesItsUsageAlongAndNestedQuotasBothCount() {
        ledger.done(ledger.mkdirs("/a/b"));
        ledger.done(ledger.mkdirs("/c"));
        quota("/a", 100, 100 * GROUP);
        quota("/a/b", 100, 100 * GROUP);
        quota("/c", 100, 100 * GROUP);
        ledger.write("/a/b/f", 70_000);
        assertThat(quota("/a/b").namesUsed()).isEqualTo(2);
        assertThat(quota("/a").namesUsed()).isEqualTo(3);

        ledger.done(ledger.rename("/a/b", "/c/b", false));
        assertThat(quota("/a").namesUsed()).isEqualTo(1);
        assertThat(quota("/a").spaceUsed()).isZero();
        assertThat(quota("/c").namesUsed()).isEqualTo(3);
        assertThat(quota("/c").spaceUsed()).isEqualTo(stored(70_000));

        ledger.done(ledger.delete("/c/b"));
        ledger.apply(new Command.PurgeStep(ledger.now, 100));
        assertThat(quota("/c").namesUsed()).isEqualTo(1);
        assertThat(quota("/c").spaceUsed()).isZero();
    }

    @Test
    void whatATruncateLeavesOfAGroupIsChargedWholeUntilTheGroupGoes() {
        ledger.done(ledger.mkdirs("/q"));
        quota("/q", 100, 10 * GROUP);
        ledger.write("/q/f", 100_000);
        CommandResult.Created more = (CommandResult.Created) ledger.call(new Append(ledger.request(), path("/q/f")));
        ledger.close(more, 70_000);
        cut("/q/f", 120_000);
        assertThat(quota("/q").spaceUsed()).isEqualTo(stored(100_000) + stored(70_000));
        cut("/q/f", 100_000);
        assertThat(quota("/q").spaceUsed()).isEqualTo(stored(100_000));
        cut("/q/f", 1);
        assertThat(quota("/q").spaceUsed()).isEqualTo(stored(100_000));
        cut("/q/f", 0);
        assertThat(quota("/q").spaceUsed()).isZero();
    }

    private void cut(String path, long length) {
        assertThat(ledger.call(new Truncate(ledger.request(), path(path), length, Optional.empty())))
                .isInstanceOf(CommandResult.Status.class);
    }

    @Test
    void aConcatTakesGroupsAlongAsTheyAreAlsoLongerOnes() {
        Policy wide = Policy.parse("rs-4-2-64k");
        long length = Ledger.POLICY.groupBytes() + 100_000;
        ledger.done(ledger.mkdirs("/q"));
        ledger.done(ledger.mkdirs("/plain"));
        quota("/q", 100, 100 * GROUP);
        ledger.write("/q/f", 1000);
        Create create = new Create(ledger.request(), path("/plain/wide"), 0644, false, true, Optional.of(wide));
        ledger.close((CommandResult.Created) ledger.call(create), length);
        assertThat(ledger.call(new Concat(ledger.request(), path("/q/f"), List.of(path("/plain/wide")))))
                .isInstanceOf(CommandResult.Status.class);
        assertThat(quota("/q").namesUsed()).isEqualTo(2);
        long exact = stored(1000) + new GroupLayout(wide, length).storedBytes();
        assertThat(quota("/q").spaceUsed()).isEqualTo(exact);
        ledger.done(ledger.rename("/q/f", "/plain/f", false));
        assertThat(quota("/q").spaceUsed()).isZero();
        ledger.done(ledger.rename("/plain/f", "/q/f", false));
        ledger.done(ledger.delete("/q/f"));
        for (int step = 0; step < 10; step++) {
            ledger.apply(new Command.PurgeStep(ledger.now, 1));
        }
        assertThat(quota("/q").spaceUsed()).isZero();
        assertThat(quota("/q").namesUsed()).isEqualTo(1);
    }

    @Test
    void aDirectoryThatMovesWhereNoQuotaIsCountsWhenItComesBelowOne() {
        ledger.done(ledger.mkdirs("/q"));
        quota("/q", 100, 100 * GROUP);
        ledger.write("/plain/a/b/f", 70_000);
        ledger.done(ledger.rename("/plain/a", "/plain/moved", false));
        assertThat(quota("/q").namesUsed()).isEqualTo(1);
        ledger.done(ledger.rename("/plain/moved", "/q/a", false));
        assertThat(quota("/q").namesUsed()).isEqualTo(4);
        assertThat(quota("/q").spaceUsed()).isEqualTo(stored(70_000));
    }

    /** Moves make a tree deeper than any path: a count that went down it by recursion would end the log's thread. */
    @Test
    void aTreeMuchDeeperThanAPathMayBeIsCounted() {
        String below = "/d".repeat(900);
        int trees = 24;
        for (int tree = 0; tree < trees; tree++) {
            ledger.done(ledger.mkdirs("/tree" + tree + below));
            if (tree > 0) {
                ledger.done(ledger.rename("/tree" + (tree - 1), "/tree" + tree + below + "/next", false));
            }
        }
        String top = "/tree" + (trees - 1);
        quota(top, 100_000, GROUP);
        assertThat(quota(top).namesUsed()).isEqualTo(trees * 901L);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void afterRandomCallsAQuotaHasCountedWhatANewOneFinds(long seed) {
        Random random = new Random(seed);
        for (String root : List.of("/x", "/y")) {
            ledger.done(ledger.mkdirs(root + "/d"));
            quota(root, 1000, 1000 * GROUP);
        }
        quota("/y/d", 1000, 1000 * GROUP);
        for (int i = 0; i < 200; i++) {
            String one = place(random);
            switch (random.nextInt(8)) {
                case 0, 1 -> {
                    if (ledger.call(ledger.create(one, random.nextBoolean())) instanceof CommandResult.Created file
                            && random.nextInt(4) > 0) {
                        ledger.close(file, random.nextInt(400_000));
                    }
                }
                case 2 -> ledger.call(ledger.mkdirs(one));
                case 3 -> ledger.call(ledger.delete(one));
                case 4 -> ledger.call(ledger.rename(one, place(random), random.nextBoolean()));
                case 5 ->
                    ledger.call(new Truncate(ledger.request(), path(one), random.nextInt(400_000), Optional.empty()));
                case 6 -> ledger.call(new Concat(ledger.request(), path(one), List.of(path(place(random)))));
                default -> ledger.apply(new Command.PurgeStep(ledger.now, 1 + random.nextInt(5)));
            }
        }
        MetadataState replayed = new MetadataState(new MemoryStore());
        for (int i = 0; i < ledger.commands.size(); i++) {
            replayed.apply(new Position(1, i), List.of(ledger.commands.get(i)));
        }
        assertThat(replayed.stateHash()).as("seed %d", seed).isEqualTo(ledger.state.stateHash());
        for (String root : List.of("/x", "/y")) {
            if (ledger.status(root).isEmpty() || quota(root).names().isEmpty()) {
                continue;
            }
            NamespaceReply.Quota counted = quota(root);
            for (String any : List.of("/y/d", root)) {
                if (ledger.status(any).filter(s -> s.directory()).isPresent()) {
                    quota(any, SetQuota.UNBOUNDED, SetQuota.UNBOUNDED);
                }
            }
            quota(root, 1, 1);
            assertThat(quota(root).namesUsed()).as("seed %d, %s", seed, root).isEqualTo(counted.namesUsed());
            assertThat(quota(root).spaceUsed()).as("seed %d, %s", seed, root).isEqualTo(counted.spaceUsed());
        }
    }

    private static String place(Random random) {
        String path = random.nextBoolean() ? "/x" : "/y";
        for (int depth = 1 + random.nextInt(3); depth > 0; depth--) {
            path += "/" + (char) ('c' + random.nextInt(3));
        }
        return path;
    }

    @Test
    void onlyTheSuperuserSetsQuotasAndOnlyOnDirectories() {
        ledger.write("/f", 10);
        ledger.refused(
                ALICE,
                new SetQuota(ledger.request(), path("/"), Optional.of(1L), Optional.empty()),
                ErrorCode.ACCESS_DENIED);
        ledger.refused(
                new SetQuota(ledger.request(), path("/f"), Optional.of(1L), Optional.empty()),
                ErrorCode.NOT_A_DIRECTORY);
    }

    @Test
    void attributesAreKeptWithTheFileAndGoWithIt() throws EcfsException {
        ledger.write("/f", 10);
        XAttr colour = new XAttr("user.colour", new byte[] {1, 2, 3});
        ledger.refused(set("/f", colour, false, true), ErrorCode.NOT_FOUND);
        ledger.done(set("/f", colour, true, false));
        ledger.refused(set("/f", colour, true, false), ErrorCode.ALREADY_EXISTS);
        ledger.done(set("/f", new XAttr("trusted.x", new byte[0]), true, true));
        ledger.refused(set("/f", new XAttr("system.x", new byte[0]), true, true), ErrorCode.INVALID_ARGUMENT);
        ledger.refused(set("/f", new XAttr("user.big", new byte[16 << 10]), true, true), ErrorCode.INVALID_ARGUMENT);
        ledger.refused(ALICE, set("/f", new XAttr("trusted.y", new byte[0]), true, true), ErrorCode.ACCESS_DENIED);

        ledger.done(ledger.rename("/f", "/g", false));
        try (MetadataView view = ledger.state.view()) {
            assertThat(view.namespace().xattrs(path("/g"), Ledger.ROOT).attributes())
                    .extracting(XAttr::name)
                    .containsExactly("trusted.x", "user.colour");
            assertThat(view.namespace().xattrs(path("/g"), ALICE).attributes()).containsExactly(colour);
        }
        ledger.done(new RemoveXAttr(ledger.request(), path("/g"), "trusted.x"));
        ledger.refused(new RemoveXAttr(ledger.request(), path("/g"), "trusted.x"), ErrorCode.INVALID_ARGUMENT);
        ledger.done(ledger.delete("/g"));
        ledger.apply(new Command.PurgeStep(ledger.now, 100));
        try (MetadataView view = ledger.state.view()) {
            assertThat(view.count(Counter.XATTRS)).isZero();
        }
    }

    private SetXAttr set(String path, XAttr attribute, boolean create, boolean replace) {
        return new SetXAttr(ledger.request(), path(path), attribute, create, replace);
    }

    @Test
    void inSafeModeNothingChangesUntilTheSuperuserEndsIt() {
        ledger.refused(ALICE, new SetSafeMode(ledger.request(), true), ErrorCode.ACCESS_DENIED);
        ledger.done(new SetSafeMode(ledger.request(), true));
        ledger.refused(ledger.mkdirs("/d"), ErrorCode.SAFE_MODE);
        ledger.done(new SetSafeMode(ledger.request(), true));
        ledger.done(new SetSafeMode(ledger.request(), false));
        ledger.done(ledger.mkdirs("/d"));
    }
}
