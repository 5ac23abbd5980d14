package io.ecfs.namenode.store.disk;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.namenode.log.LogIdentity;
import io.ecfs.namenode.log.ReplicatedState.Position;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;

/**
 * Contents of a backup of the namenodes' state: the file {@code BACKUP} of lines {@code key=value}, the last one a
 * CRC32C of those before, as docs/formats.md describes it.
 * @param cluster configured name
 * @param log that the state comes from
 * @param level feature level in force in the state: a release below it cannot read it
 * @param position last log entry in the state
 * @param takenMillis when, by the clock of the machine that wrote it
 * @param namenode whose state it is
 * @param files of the state, in order of their names
 */
public record BackupManifest(
        String cluster,
        LogIdentity log,
        int level,
        Position position,
        long takenMillis,
        String namenode,
        List<StateFile> files) {
    private static final int VERSION = 1;
    private static final String CRC_KEY = "crc32c=";
    private static final String FILE_KEY = "file.";

    /** @param sha256 of all its bytes, hexadecimal */
    public record StateFile(String name, long bytes, String sha256) {
        public StateFile {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(sha256, "sha256");
        }
    }

    public BackupManifest {
        Objects.requireNonNull(cluster, "cluster");
        Objects.requireNonNull(log, "log");
        Objects.requireNonNull(position, "position");
        Objects.requireNonNull(namenode, "namenode");
        files = List.copyOf(files);
    }

    public BackupManifest with(List<StateFile> newFiles) {
        return new BackupManifest(cluster, log, level, position, takenMillis, namenode, newFiles);
    }

    public long bytes() {
        return files.stream().mapToLong(StateFile::bytes).sum();
    }

    String text() {
        StringBuilder lines = new StringBuilder()
                .append("version=" + VERSION + "\n")
                .append("cluster=" + cluster + "\n")
                .append("clusterId=" + log.clusterId() + "\n")
                .append("log=" + log.log() + "\n")
                .append("level=" + level + "\n")
                .append("term=" + position.term() + "\n")
                .append("index=" + position.index() + "\n")
                .append("takenMillis=" + takenMillis + "\n")
                .append("taken=" + Instant.ofEpochMilli(takenMillis) + "\n")
                .append("namenode=" + namenode + "\n")
                .append("files=" + files.size() + "\n");
        for (int i = 0; i < files.size(); i++) {
            StateFile file = files.get(i);
            lines.append(FILE_KEY + i + "=" + file.sha256() + " " + file.bytes() + " " + file.name() + "\n");
        }
        return lines + crcLine(lines.toString()) + "\n";
    }

    /**
     * @throws EcfsException {@code MALFORMED} when it is damaged, {@code INCOMPATIBLE_VERSION} when a later release
     *     wrote it
     */
    static BackupManifest parse(String where, String text) throws EcfsException {
        int crcAt = text.lastIndexOf(CRC_KEY);
        if (crcAt < 0 || !text.substring(crcAt).equals(crcLine(text.substring(0, crcAt)) + "\n")) {
            throw new EcfsException(
                    ErrorCode.MALFORMED,
                    where + " is damaged, its checksum is not that of its lines: nothing was changed;"
                            + " restore another backup");
        }
        Map<String, String> values = text.substring(0, crcAt)
                .lines()
                .filter(line -> line.indexOf('=') > 0)
                .collect(Collectors.toMap(
                        line -> line.substring(0, line.indexOf('=')), line -> line.substring(line.indexOf('=') + 1)));
        if (!Integer.toString(VERSION).equals(values.get("version"))) {
            throw new EcfsException(
                    ErrorCode.INCOMPATIBLE_VERSION,
                    where + " has version " + values.get("version") + ", this release reads version " + VERSION
                            + ": nothing was changed; restore it with the release that wrote it");
        }
        try {
            List<StateFile> files = new ArrayList<>();
            for (int i = 0; i < Integer.parseInt(value(values, "files")); i++) {
                String[] parts = value(values, FILE_KEY + i).split(" ", 3);
                files.add(new StateFile(parts[2], Long.parseLong(parts[1]), parts[0]));
            }
            return new BackupManifest(
                    value(values, "cluster"),
                    new LogIdentity(value(values, "clusterId"), UUID.fromString(value(values, "log"))),
                    Integer.parseInt(value(values, "level")),
                    new Position(Long.parseLong(value(values, "term")), Long.parseLong(value(values, "index"))),
                    Long.parseLong(value(values, "takenMillis")),
                    value(values, "namenode"),
                    files);
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new EcfsException(
                    ErrorCode.MALFORMED,
                    where + " is no description of a backup: nothing was changed; restore another backup",
                    e);
        }
    }

    private static String value(Map<String, String> values, String key) {
        return Optional.ofNullable(values.get(key))
                .orElseThrow(() -> new IllegalArgumentException("no line " + key + "="));
    }

    private static String crcLine(String body) {
        CRC32C crc = new CRC32C();
        crc.update(body.getBytes(StandardCharsets.UTF_8));
        return CRC_KEY + Long.toHexString(crc.getValue());
    }

    @Override
    public String toString() {
        return "entry " + position.index() + " of term " + position.term() + " of " + log + ", taken "
                + Instant.ofEpochMilli(takenMillis);
    }
}
