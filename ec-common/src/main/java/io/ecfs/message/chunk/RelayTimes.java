package io.ecfs.message.chunk;

/**
 * Microseconds that a relayed cell took at the datanode that relays it, from the arrival of the stripe's last data cell
 * on; they add up to the time until the answer. The steps are those of Kim et al. (section 4).
 *
 * @param managing what is left when the others are taken away: MP, the master process
 * @param encoding of the stripe's parity: PC
 * @param distributing from the request to the chunk's datanode to its answer, less its own time: DD
 * @param serving the time of that datanode: SP
 */
public record RelayTimes(int managing, int encoding, int distributing, int serving) {
    public RelayTimes {
        if (managing < 0 || encoding < 0 || distributing < 0 || serving < 0) {
            throw new IllegalArgumentException("times of a relayed cell must not be negative");
        }
    }
}
