package io.ecfs.namenode.namespace.inode;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.ecfs.layout.EncodingSide;
import io.ecfs.layout.Policy;
import io.ecfs.layout.RingId;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.namespace.ConversionRule;
import io.ecfs.namenode.form.Numbers;
import io.ecfs.namenode.row.LaterRelease;
import io.ecfs.namenode.row.RowReader;
import io.ecfs.namenode.row.RowWriter;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Settings of a directory for the files that are made below it; one that it does not have is inherited from the
 * directory above. A tagged record: an absent setting takes no byte, and a later one has the next tag and the feature
 * level that knows it.
 *
 * <pre>
 *   1 policy: text | 2 ring: number | 3 encoding side: number (1 client, 2 master, 3 auto)
 *   | 4 packing: number of bytes up to which a file is packed (0: none is)
 *   | 5 conversion: number of rules, then each: number of milliseconds since the last change, text policy
 * </pre>
 *
 * @param ring on whose volumes their groups lie
 * @param encoding where parity is computed of what is written
 * @param packedUpTo length in bytes up to which small files share groups
 * @param conversion to what they are converted as they age, by growing age
 */
public record DirectorySettings(
        Optional<Policy> policy,
        Optional<RingId> ring,
        Optional<EncodingSide> encoding,
        Optional<Long> packedUpTo,
        List<ConversionRule> conversion) {
    public static final DirectorySettings NONE = ofPolicy(Optional.empty());

    private static final int POLICY = 1;
    private static final int RING = 2;
    private static final int ENCODING = 3;
    private static final int PACKING = 4;
    private static final int CONVERSION = 5;

    public DirectorySettings {
        Objects.requireNonNull(policy, "policy");
        Objects.requireNonNull(ring, "ring");
        Objects.requireNonNull(encoding, "encoding");
        if (packedUpTo.filter(bytes -> bytes < 0).isPresent()) {
            throw new IllegalArgumentException("files packed up to " + packedUpTo.get() + " bytes");
        }
        conversion = List.copyOf(conversion);
    }

    public static DirectorySettings ofPolicy(Optional<Policy> policy) {
        return new DirectorySettings(policy, Optional.empty(), Optional.empty(), Optional.empty(), List.of());
    }

    public DirectorySettings with(Optional<Policy> newPolicy) {
        return new DirectorySettings(newPolicy, ring, encoding, packedUpTo, conversion);
    }

    public DirectorySettings inRing(Optional<RingId> newRing) {
        return new DirectorySettings(policy, newRing, encoding, packedUpTo, conversion);
    }

    public DirectorySettings encodedBy(Optional<EncodingSide> side) {
        return new DirectorySettings(policy, ring, side, packedUpTo, conversion);
    }

    /** @param rules as {@link ConversionRule#checked} has them */
    public DirectorySettings converting(List<ConversionRule> rules) {
        return new DirectorySettings(policy, ring, encoding, packedUpTo, rules);
    }

    public DirectorySettings packedUpTo(Optional<Long> bytes) {
        return new DirectorySettings(policy, ring, encoding, bytes, conversion);
    }

    void write(RowWriter out) {
        int since = FeatureLevel.FIRST;
        out.tagged(POLICY, since, policy, (part, p) -> part.raw(p.name().getBytes(UTF_8)));
        out.tagged(RING, since, ring, (part, r) -> part.number(r.value()));
        out.tagged(ENCODING, since, encoding, Numbers.ENCODING_SIDE::write);
        out.tagged(PACKING, since, packedUpTo, RowWriter::number);
        Optional<List<ConversionRule>> rules = conversion.isEmpty() ? Optional.empty() : Optional.of(conversion);
        out.tagged(
                CONVERSION,
                since,
                rules,
                (part, all) ->
                        part.list(all, (rule, c) -> rule.number(c.afterMillis()).text(c.to().name())));
    }

    private static EncodingSide encoding(int number) {
        EncodingSide side = Numbers.ENCODING_SIDE.all().get(number);
        if (side == null) {
            throw new LaterRelease("a directory has the encoding side " + number + ", of which this release knows "
                    + Numbers.ENCODING_SIDE.all().size());
        }
        return side;
    }

    /** Reads to the end of the row. */
    static DirectorySettings read(RowReader in) {
        DirectorySettings settings = new DirectorySettings(
                in.tagged(POLICY, part -> Policy.parse(new String(part.rest(), UTF_8))),
                in.tagged(RING, part -> new RingId(part.smallNumber())),
                in.tagged(ENCODING, part -> encoding(part.smallNumber())),
                in.tagged(PACKING, RowReader::number),
                in.tagged(
                                CONVERSION,
                                part -> part.list(rule -> new ConversionRule(rule.number(), Policy.parse(rule.text()))))
                        .orElse(List.of()));
        in.endOfTagged("directory");
        return settings;
    }
}
