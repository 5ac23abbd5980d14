package io.ecfs.namenode.user;

import io.ecfs.message.PrincipalName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Groups of users by a list (Hadoop: hadoop.user.group.static.mapping.overrides). Each line is of one of two forms, is
 * empty, or begins with {@code #}:
 *
 * <pre>
 *   ada=staff,dev;ben=;eve=dev     users and their groups
 *   staff:x:1001:ada,ben           a group and its members, as in /etc/group
 * </pre>
 *
 * A user that is in the list is in the groups that the list says and in no others.
 */
public record StaticGroups(Map<String, List<String>> users) {
    private static final int FIELDS_OF_A_GROUP = 4;

    public StaticGroups {
        TreeMap<String, List<String>> copy = new TreeMap<>();
        users.forEach((user, groups) -> {
            requireName(user);
            groups.forEach(StaticGroups::requireName);
            copy.put(user, List.copyOf(groups));
        });
        users = copy;
    }

    /** @throws IllegalArgumentException naming the line that is wrong */
    public static StaticGroups parse(List<String> lines) {
        Map<String, List<String>> users = new TreeMap<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            try {
                if (line.contains("=")) {
                    mapping(line, users);
                } else if (!line.isEmpty() && !line.startsWith("#")) {
                    group(line, users);
                }
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("line " + (i + 1) + ": " + e.getMessage(), e);
            }
        }
        return new StaticGroups(users);
    }

    private static void mapping(String line, Map<String, List<String>> users) {
        for (String entry : line.split(";", -1)) {
            int equals = entry.indexOf('=');
            if (entry.isBlank()) {
                continue;
            } else if (equals < 0) {
                throw new IllegalArgumentException("expected user=group,group and ';' between users");
            }
            List<String> groups = users.computeIfAbsent(name(entry.substring(0, equals)), user -> new ArrayList<>());
            names(entry.substring(equals + 1)).forEach(group -> add(groups, group));
        }
    }

    private static void group(String line, Map<String, List<String>> users) {
        String[] fields = line.split(":", -1);
        if (fields.length != FIELDS_OF_A_GROUP) {
            throw new IllegalArgumentException("expected user=group,group or group:x:number:user,user");
        }
        String group = name(fields[0]);
        names(fields[3]).forEach(user -> add(users.computeIfAbsent(user, u -> new ArrayList<>()), group));
    }

    private static void add(List<String> groups, String group) {
        if (!groups.contains(group)) {
            groups.add(group);
        }
    }

    private static List<String> names(String list) {
        List<String> names = new ArrayList<>();
        for (String one : list.split(",", -1)) {
            if (!one.isBlank()) {
                names.add(name(one));
            }
        }
        return names;
    }

    private static String name(String text) {
        return requireName(text.strip());
    }

    private static String requireName(String name) {
        if (!PrincipalName.valid(name)) {
            throw new IllegalArgumentException("a name of a user or group has " + PrincipalName.RULE);
        }
        return name;
    }

    /** Empty when the list does not have this user. */
    public Optional<List<String>> of(String user) {
        return Optional.ofNullable(users.get(user));
    }
}
