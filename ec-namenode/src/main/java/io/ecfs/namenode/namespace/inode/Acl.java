package io.ecfs.namenode.namespace.inode;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.namespace.AclEntry;
import io.ecfs.message.namespace.AclEntry.Scope;
import io.ecfs.message.namespace.NamespaceRequest.ChangeAcl;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Access control lists as pure functions (POSIX.1e draft 17 section 23; HDFS: AclTransformation, AclStorage). Where a
 * file has named entries, its mode's middle bits are the mask and the owning group has an entry; what the mode says of
 * owner and others is not repeated.
 */
public final class Acl {
    static final int MAX_ENTRIES = 32;

    private static final List<AclEntry.Type> ORDER_OF_TYPES =
            List.of(AclEntry.Type.USER, AclEntry.Type.GROUP, AclEntry.Type.MASK, AclEntry.Type.OTHER);
    private static final Comparator<AclEntry> ORDER =
            Comparator.comparing(AclEntry::scope).thenComparing(Acl::rank).thenComparing(AclEntry::name);

    private Acl() {}

    /** The order in which entries are matched: owner, named users, owning group, named groups, mask, others. */
    private static int rank(AclEntry entry) {
        return ORDER_OF_TYPES.indexOf(entry.type()) * 2 + (entry.name().isEmpty() ? 0 : 1);
    }

    /** The principal of an entry; a list has each once. */
    private record Who(Scope scope, AclEntry.Type type, String name) {
        static Who of(AclEntry entry) {
            return new Who(entry.scope(), entry.type(), entry.name());
        }
    }

    /** A list in its stored form: the permission bits and the entries beside them. */
    public record Stored(int mode, List<AclEntry> entries) {}

    /** @throws EcfsException {@code INVALID_ARGUMENT} for a change that leaves no valid list */
    public static Stored change(int mode, List<AclEntry> entries, boolean directory, ChangeAcl call)
            throws EcfsException {
        List<AclEntry> before = whole(mode, entries);
        List<AclEntry> given = call.entries();
        checkUnique(given);
        List<AclEntry> after = switch (call.change()) {
            case MODIFY -> completed(merged(before, given), given, given, Set.of());
            case SET -> completed(replaced(before, given), given, given, Set.of());
            case REMOVE -> removed(before, given);
            case REMOVE_DEFAULT -> of(before, Scope.ACCESS);
            case REMOVE_ALL -> unextended(before);
        };
        check(after, directory);
        return stored(mode, after);
    }

    /**
     * The list of a new child by its directory's default entries.
     *
     * @param mode that its creator asked for
     */
    public static Stored inherited(int mode, List<AclEntry> parent, boolean directory) {
        List<AclEntry> defaults = of(parent, Scope.DEFAULT);
        if (defaults.isEmpty()) {
            return new Stored(mode, List.of());
        }
        boolean masked = defaults.stream().anyMatch(e -> e.type() == AclEntry.Type.MASK);
        List<AclEntry> all = new ArrayList<>();
        for (AclEntry entry : defaults) {
            AclEntry access = entry.withScope(Scope.ACCESS);
            if (!entry.name().isEmpty()) {
                all.add(access);
            } else if (entry.type() == AclEntry.Type.USER) {
                all.add(access.withBits(entry.bits() & mode >> 6));
            } else if (entry.type() == AclEntry.Type.OTHER) {
                all.add(access.withBits(entry.bits() & mode));
            } else if (entry.type() == AclEntry.Type.MASK || !masked) {
                all.add(access.withBits(entry.bits() & mode >> 3));
            } else {
                all.add(access);
            }
        }
        if (directory) {
            all.addAll(defaults);
        }
        return stored(mode, all);
    }

    /** The list with the entries that the mode stands for. */
    private static List<AclEntry> whole(int mode, List<AclEntry> entries) {
        List<AclEntry> all = new ArrayList<>(entries);
        all.add(new AclEntry(Scope.ACCESS, AclEntry.Type.USER, "", mode >> 6 & 7));
        all.add(new AclEntry(Scope.ACCESS, AclEntry.Type.OTHER, "", mode & 7));
        boolean extended = !of(entries, Scope.ACCESS).isEmpty();
        all.add(new AclEntry(Scope.ACCESS, extended ? AclEntry.Type.MASK : AclEntry.Type.GROUP, "", mode >> 3 & 7));
        all.sort(ORDER);
        return all;
    }

    private static Stored stored(int mode, List<AclEntry> all) {
        List<AclEntry> access = of(all, Scope.ACCESS);
        boolean extended = access.size() > 3;
        int bits = mode & ~0777;
        List<AclEntry> beside = new ArrayList<>();
        for (AclEntry entry : access) {
            boolean middle = entry.type() == (extended ? AclEntry.Type.MASK : AclEntry.Type.GROUP);
            if (!entry.name().isEmpty() || (entry.type() == AclEntry.Type.GROUP && extended)) {
                beside.add(entry);
            } else if (middle) {
                bits |= entry.bits() << 3;
            } else {
                bits |= entry.type() == AclEntry.Type.USER ? entry.bits() << 6 : entry.bits();
            }
        }
        beside.addAll(of(all, Scope.DEFAULT));
        beside.sort(ORDER);
        return new Stored(bits, List.copyOf(beside));
    }

    private static List<AclEntry> merged(List<AclEntry> before, List<AclEntry> given) {
        Map<Who, AclEntry> all = new LinkedHashMap<>();
        before.forEach(e -> all.put(Who.of(e), e));
        given.forEach(e -> all.put(Who.of(e), e));
        return new ArrayList<>(all.values());
    }

    /** A scope that is not given stays. */
    private static List<AclEntry> replaced(List<AclEntry> before, List<AclEntry> given) {
        Set<Scope> scopes = EnumSet.noneOf(Scope.class);
        given.forEach(e -> scopes.add(e.scope()));
        List<AclEntry> all = new ArrayList<>(given);
        before.stream().filter(e -> !scopes.contains(e.scope())).forEach(all::add);
        return all;
    }

    private static List<AclEntry> removed(List<AclEntry> before, List<AclEntry> given) throws EcfsException {
        List<Who> gone = given.stream().map(Who::of).toList();
        List<AclEntry> all = new ArrayList<>(before);
        all.removeIf(e -> gone.contains(Who.of(e)));
        Set<Scope> unmasked = EnumSet.noneOf(Scope.class);
        given.stream().filter(e -> e.type() == AclEntry.Type.MASK).forEach(e -> unmasked.add(e.scope()));
        return completed(all, List.of(), given, unmasked);
    }

    /** The list without named entries and defaults; the owning group's own entry counts again, not the mask. */
    private static List<AclEntry> unextended(List<AclEntry> before) {
        List<AclEntry> access = new ArrayList<>(of(before, Scope.ACCESS));
        access.removeIf(e -> !e.name().isEmpty() || e.type() == AclEntry.Type.MASK);
        return access;
    }

    /**
     * Adds default entries that defaults need, and masks.
     * @param given may have masks, which are not changed
     * @param touched entries whose scopes get a new mask
     * @param unmasked scopes whose mask was removed
     */
    private static List<AclEntry> completed(
            List<AclEntry> entries, List<AclEntry> given, List<AclEntry> touched, Set<Scope> unmasked)
            throws EcfsException {
        List<AclEntry> all = new ArrayList<>(entries);
        addMissingDefaults(all);
        Map<Scope, AclEntry> masks = new EnumMap<>(Scope.class);
        all.stream().filter(e -> e.type() == AclEntry.Type.MASK).forEach(e -> masks.put(e.scope(), e));
        all.removeIf(e -> e.type() == AclEntry.Type.MASK);
        for (Scope scope : Scope.values()) {
            List<AclEntry> own = of(all, scope);
            boolean named = own.stream().anyMatch(e -> !e.name().isEmpty());
            boolean chosen = given.stream().anyMatch(e -> e.scope() == scope && e.type() == AclEntry.Type.MASK);
            boolean changed = touched.stream().anyMatch(e -> e.scope() == scope);
            AclEntry mask = masks.get(scope);
            if (named && unmasked.contains(scope)) {
                throw invalid("a mask is required beside named entries and cannot be removed");
            } else if (mask != null && (chosen || !changed)) {
                all.add(mask);
            } else if (named || mask != null) {
                int bits = own.stream()
                        .filter(e ->
                                e.type() == AclEntry.Type.GROUP || !e.name().isEmpty())
                        .mapToInt(AclEntry::bits)
                        .reduce(0, (a, b) -> a | b);
                all.add(new AclEntry(scope, AclEntry.Type.MASK, "", bits));
            }
        }
        all.sort(ORDER);
        return all;
    }

    private static void addMissingDefaults(List<AclEntry> all) {
        List<AclEntry> defaults = of(all, Scope.DEFAULT);
        if (defaults.isEmpty()) {
            return;
        }
        for (AclEntry.Type type : List.of(AclEntry.Type.USER, AclEntry.Type.GROUP, AclEntry.Type.OTHER)) {
            if (defaults.stream().noneMatch(e -> e.type() == type && e.name().isEmpty())) {
                of(all, Scope.ACCESS).stream()
                        .filter(e -> e.type() == type && e.name().isEmpty())
                        .map(e -> e.withScope(Scope.DEFAULT))
                        .findFirst()
                        .ifPresent(all::add);
            }
        }
    }

    private static void checkUnique(List<AclEntry> entries) throws EcfsException {
        if (entries.stream().map(Who::of).distinct().count() < entries.size()) {
            throw invalid("multiple entries with same scope, type and name");
        }
        for (AclEntry entry : entries) {
            if (!entry.name().isEmpty()
                    && (entry.type() == AclEntry.Type.MASK || entry.type() == AclEntry.Type.OTHER)) {
                throw invalid("entry " + entry.type() + " must not have a name: " + entry.name());
            }
        }
    }

    private static void check(List<AclEntry> all, boolean directory) throws EcfsException {
        checkUnique(all);
        for (AclEntry.Type type : List.of(AclEntry.Type.USER, AclEntry.Type.GROUP, AclEntry.Type.OTHER)) {
            if (of(all, Scope.ACCESS).stream()
                    .noneMatch(e -> e.type() == type && e.name().isEmpty())) {
                throw invalid("the user, group and other entries are required");
            }
        }
        for (Scope scope : Scope.values()) {
            int size = of(all, scope).size();
            if (size > MAX_ENTRIES) {
                throw invalid(size + " entries are more than the limit of " + MAX_ENTRIES);
            }
        }
        if (!directory && !of(all, Scope.DEFAULT).isEmpty()) {
            throw invalid("only directories may have a default ACL");
        }
    }

    private static List<AclEntry> of(List<AclEntry> entries, Scope scope) {
        return entries.stream().filter(e -> e.scope() == scope).toList();
    }

    private static EcfsException invalid(String why) {
        return new EcfsException(ErrorCode.INVALID_ARGUMENT, "Invalid ACL: " + why);
    }
}
