package io.ecfs.client.name;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A DNS server (RFC 1035) over UDP that knows the SRV records (RFC 2782) of one name, and fails for another. */
final class LoopbackDns implements AutoCloseable {
    /** Answered with SERVFAIL. */
    static final String BROKEN = "_ecfs._tcp.broken.example";

    private static final int SRV = 33;
    private static final int INTERNET = 1;
    private static final int HEADER_BYTES = 12;
    private static final int AUTHORITATIVE_ANSWER = 0x8400;
    private static final int SERVER_FAILURE = 2;
    private static final int NO_SUCH_NAME = 3;

    private final DatagramSocket socket;
    private final Thread thread;
    private final String name;
    private final List<SrvRecord> records;

    private LoopbackDns(DatagramSocket socket, String name, List<SrvRecord> records) {
        this.socket = socket;
        this.name = name;
        this.records = records;
        thread = new Thread(this::serve, "loopback-dns");
    }

    static LoopbackDns open(String name, SrvRecord... records) throws IOException {
        LoopbackDns server =
                new LoopbackDns(new DatagramSocket(0, InetAddress.getLoopbackAddress()), name, List.of(records));
        server.thread.start();
        return server;
    }

    int port() {
        return socket.getLocalPort();
    }

    private void serve() {
        byte[] buffer = new byte[512];
        while (!socket.isClosed()) {
            DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
            try {
                socket.receive(packet);
                byte[] answer = answer(buffer, packet.getLength());
                socket.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
            } catch (SocketException e) {
                return; // closed
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
    }

    private byte[] answer(byte[] query, int length) throws IOException {
        String asked = name(query);
        int end = HEADER_BYTES + asked.length() + 2 + 4; // the name's first length and last zero; type and class
        int error = asked.equals(BROKEN) ? SERVER_FAILURE : asked.equals(name) ? 0 : NO_SUCH_NAME;
        List<SrvRecord> found = error == 0 ? records : List.of();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.write(query, 0, 2); // id
        out.writeShort(AUTHORITATIVE_ANSWER | error);
        out.writeShort(1);
        out.writeShort(found.size());
        out.writeInt(0);
        out.write(query, HEADER_BYTES, Math.min(end, length) - HEADER_BYTES);
        for (SrvRecord record : found) {
            out.writeShort(0xC000 | HEADER_BYTES); // the name of the question
            out.writeShort(SRV);
            out.writeShort(INTERNET);
            out.writeInt(60);
            out.writeShort(3 * 2 + record.target().length() + 2);
            out.writeShort(record.priority());
            out.writeShort(record.weight());
            out.writeShort(record.port());
            for (String label : record.target().split("\\.", -1)) {
                out.writeByte(label.length());
                out.write(label.getBytes(StandardCharsets.US_ASCII));
            }
            out.writeByte(0);
        }
        return bytes.toByteArray();
    }

    private static String name(byte[] query) {
        StringBuilder name = new StringBuilder();
        for (int at = HEADER_BYTES; query[at] != 0; at += query[at] + 1) {
            name.append(name.isEmpty() ? "" : ".")
                    .append(new String(query, at + 1, query[at], StandardCharsets.US_ASCII));
        }
        return name.toString();
    }

    @Override
    public void close() {
        socket.close();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
