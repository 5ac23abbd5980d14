package io.ecfs.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/**
 * Sends every operation of an OpenAPI document what its author did not think of: values of the wrong type, huge and
 * negative numbers, strange text, paths that climb, deep and broken JSON, headers that are missing, doubled or wrong.
 * Each answer must come, be none of 5xx, have a status and a type that the document names, and say why if it is a
 * refusal. Over a socket of its own, since a client that is well made would not send most of it. From a seed.
 */
final class ApiFuzzer {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int MOST_ANSWER = 4 << 20;
    private static final List<String> NUMBERS = List.of(
            "-1",
            "0",
            "1",
            "2147483648",
            "9223372036854775807",
            "-9223372036854775808",
            "9223372036854775808",
            "1e400",
            "1.5",
            "0x10",
            "NaN",
            " 7 ",
            "٣");
    private static final List<String> TEXTS = List.of(
            "",
            "/",
            "/d",
            "/d/large",
            "/none",
            "//",
            "/d/../d",
            "../../../etc/passwd",
            "/d/\u0000",
            "/d\r\nSet-Cookie: a=b",
            "<script>alert(1)</script>",
            "\ud83d\ude80\u202e\ufeff",
            "%2e%2e%2f",
            "' or 1=1 --",
            "${jndi:ldap://x}",
            "true",
            "inherit",
            "null",
            "begin\n",
            "/" + "é".repeat(130),
            "/" + "a/".repeat(600),
            "1h",
            "999999999999999999d",
            "dn99");

    /** That would change what other tests look at. */
    private static final List<String> SPARED = List.of("begin");

    private final int port;
    private final String cookies;
    private final String token;
    private final Random random;
    private final long seed;

    ApiFuzzer(int port, String cookies, String token, long seed) {
        this.port = port;
        this.cookies = cookies;
        this.token = token;
        this.random = new Random(seed);
        this.seed = seed;
    }

    /** @param type without parameters */
    private record Answer(int status, String type, String body) {}

    private record Operation(String method, String path, JsonNode document) {}

    /** So many requests to each operation. */
    int run(JsonNode document, int each) throws IOException {
        List<Operation> operations = new ArrayList<>();
        document.get("paths")
                .properties()
                .forEach(path -> path.getValue()
                        .properties()
                        .forEach(method -> operations.add(new Operation(
                                method.getKey().toUpperCase(Locale.ROOT), path.getKey(), method.getValue()))));
        for (Operation operation : operations) {
            for (int i = 0; i < each; i++) {
                send(operation, i);
            }
        }
        return operations.size() * each;
    }

    private void send(Operation operation, int round) throws IOException {
        boolean session = operation.path().contains("/session");
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Host", "127.0.0.1:" + port);
        headers.put("Cookie", chance(95) ? cookies : oneOf(TEXTS.subList(0, 8)).replaceAll("[\r\n]", ""));
        // Nobody is to be logged out, and no wrong password counted.
        headers.put("X-XSRF-TOKEN", !session && chance(95) ? token : "x".repeat(random.nextInt(2000)));
        if (chance(20)) {
            headers.put("Accept", oneOf(List.of("image/png", "*/*;q=0", "text", ",", "application/json")));
        }
        if (chance(10)) {
            headers.put("X-Forwarded-For", "\"><script>");
        }
        if (operation.path().equals("/api/v1/live") && chance(50)) {
            headers.put("Last-Event-ID", oneOf(NUMBERS));
        }
        String target = target(operation);
        byte[] body = new byte[0];
        if (!operation.method().equals("GET")) {
            body = body(operation, round).getBytes(StandardCharsets.UTF_8);
            headers.put(
                    "Content-Type",
                    chance(90)
                            ? session ? "application/x-www-form-urlencoded" : "application/json"
                            : oneOf(List.of(
                                    "text/plain", "application/json;charset=utf-7", "/", "multipart/form-data")));
        }
        String method = chance(96) ? operation.method() : oneOf(List.of("PUT", "DELETE", "PATCH", "OPTIONS", "HEAD"));
        Answer answer = exchange(method, target, headers, body);
        String what = "seed " + seed + ": " + method + " " + target + " " + headers + "\n"
                + new String(body, 0, Math.min(body.length, 300), StandardCharsets.UTF_8) + "\n→ " + answer;
        assertThat(answer.status()).as(what).isBetween(200, 499);
        if (method.equals("HEAD") || method.equals("OPTIONS")) {
            return;
        }
        JsonNode documented = operation.document().at("/responses/" + answer.status());
        if (answer.status() < 300) {
            assertThat(method).as(what).isEqualTo(operation.method());
            assertThat(documented.isMissingNode()).as(what).isFalse();
            List<String> types = new ArrayList<>();
            documented.path("content").fieldNames().forEachRemaining(types::add);
            assertThat(types.isEmpty() ? answer.type().isEmpty() : types.contains(answer.type()))
                    .as(what)
                    .isTrue();
            if (answer.type().equals("application/json")) {
                assertThat(JSON.readTree(answer.body()).isObject()).as(what).isTrue();
            }
        } else if (!answer.type().startsWith("text/html")) {
            // Only the container itself, for a request that is none of HTTP, answers as text/html.
            assertThat(answer.type()).as(what).isEqualTo("application/problem+json");
            JsonNode problem = JSON.readTree(answer.body());
            assertThat(problem.path("status").asInt()).as(what).isEqualTo(answer.status());
            assertThat(problem.path("detail").asText()).as(what).isNotBlank();
        } else {
            assertThat(answer.status()).as(what).isEqualTo(400);
        }
    }

    private String target(Operation operation) {
        StringBuilder query = new StringBuilder();
        String path = operation.path();
        for (JsonNode parameter : operation.document().path("parameters")) {
            String name = parameter.path("name").asText();
            if (parameter.path("in").asText().equals("path")) {
                String value = encoded(value(parameter.get("schema")));
                path = path.replace("{" + name + "}", value.isEmpty() ? "-" : value);
            } else if (parameter.path("in").asText().equals("query")) {
                int times =
                        chance(85) ? (parameter.path("required").asBoolean() || chance(60) ? 1 : 0) : random.nextInt(4);
                for (int i = 0; i < times; i++) {
                    query.append(query.length() == 0 ? "?" : "&")
                            .append(name)
                            .append("=")
                            .append(encoded(value(parameter.get("schema"))));
                }
            }
        }
        if (chance(10)) {
            query.append(query.length() == 0 ? "?" : "&")
                    .append(oneOf(List.of("_csrf=1", "x=%", "x=%zz", "&&=&", "limit[]=1")));
        }
        return path + query;
    }

    /** What no address may have in it is written as it must be. */
    private static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private String value(JsonNode schema) {
        String type = schema.path("type").asText();
        if (chance(20)) {
            return oneOf(chance(50) ? TEXTS : NUMBERS);
        }
        return switch (type) {
            case "integer", "number" -> chance(50) ? String.valueOf(1 + random.nextInt(50)) : oneOf(NUMBERS);
            case "boolean" -> String.valueOf(random.nextBoolean());
            case "array" -> value(schema.get("items"));
            default -> oneOf(TEXTS);
        };
    }

    private String body(Operation operation, int round) throws IOException {
        JsonNode content = operation.document().path("requestBody").path("content");
        if (!content.has("application/json")) {
            return "user=" + encoded(oneOf(TEXTS)) + "&password=" + encoded(oneOf(TEXTS));
        }
        JsonNode schema = content.path("application/json").path("schema");
        ObjectNode body = JSON.createObjectNode();
        schema.path("properties").properties().forEach(property -> {
            boolean required = schema.path("required").toString().contains("\"" + property.getKey() + "\"");
            if (required ? chance(90) : chance(60)) {
                body.set(property.getKey(), json(property.getValue(), 0));
            }
        });
        if (chance(10)) {
            body.put(oneOf(TEXTS), oneOf(TEXTS));
        }
        String text = JSON.writeValueAsString(body);
        return switch (round % 8) {
            case 0 -> text.substring(0, random.nextInt(text.length() + 1));
            case 1 ->
                oneOf(List.of("", "null", "[]", "7", "\"x\"", text + text, "[".repeat(5000), "{\"a\":".repeat(3000)));
            case 2 -> mangled(text);
            default -> text;
        };
    }

    private JsonNode json(JsonNode schema, int depth) {
        if (chance(25)) {
            return switch (random.nextInt(6)) {
                case 0 -> JSON.getNodeFactory().nullNode();
                case 1 -> JSON.getNodeFactory().numberNode(random.nextLong());
                case 2 -> JSON.getNodeFactory().numberNode(Math.exp(random.nextInt(1400) - 700));
                case 3 -> JSON.createArrayNode().add(depth < 3 ? json(schema, depth + 1) : null);
                case 4 -> JSON.createObjectNode().put("a", oneOf(TEXTS));
                default -> JSON.getNodeFactory().textNode(oneOf(TEXTS));
            };
        }
        if (schema.has("enum")) {
            String one = schema.get("enum")
                    .get(random.nextInt(schema.get("enum").size()))
                    .asText();
            return JSON.getNodeFactory().textNode(SPARED.contains(one) ? one + " " : one);
        }
        return switch (schema.path("type").asText()) {
            case "integer" -> JSON.getNodeFactory().numberNode(random.nextInt(400));
            case "number" -> JSON.getNodeFactory().numberNode(random.nextDouble() * 200 - 50);
            case "array" -> {
                var array = JSON.createArrayNode();
                for (int i = random.nextInt(12); i > 0; i--) {
                    array.add(json(schema.get("items"), depth + 1));
                }
                yield array;
            }
            default -> JSON.getNodeFactory().textNode(oneOf(TEXTS));
        };
    }

    private String mangled(String text) {
        char[] chars = text.toCharArray();
        for (int i = 0; i < 3; i++) {
            chars[random.nextInt(chars.length)] = (char) random.nextInt(0x300);
        }
        return new String(chars);
    }

    private Answer exchange(String method, String target, Map<String, String> headers, byte[] body) throws IOException {
        StringBuilder head = new StringBuilder(method + " " + target + " HTTP/1.1\r\n");
        headers.forEach(
                (name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
        head.append("Connection: close\r\nContent-Length: ").append(body.length).append("\r\n\r\n");
        try (Socket socket = new Socket()) {
            socket.setSoTimeout((int) PATIENCE.toMillis());
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), (int) PATIENCE.toMillis());
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            all.write(head.toString().getBytes(StandardCharsets.UTF_8));
            all.write(body);
            socket.getOutputStream().write(all.toByteArray());
            socket.getOutputStream().flush();
            return answer(new BufferedInputStream(socket.getInputStream()));
        }
    }

    private static Answer answer(InputStream in) throws IOException {
        String status = line(in);
        String type = "";
        boolean chunked = false;
        for (String header = line(in); !header.isEmpty(); header = line(in)) {
            String lower = header.toLowerCase(Locale.ROOT);
            if (lower.startsWith("content-type:")) {
                type = lower.substring("content-type:".length())
                        .replaceFirst(";.*", "")
                        .strip();
            }
            chunked |= lower.equals("transfer-encoding: chunked");
        }
        // A stream has no end; that it began is enough.
        String body = type.equals("text/event-stream") ? "" : chunked ? chunks(in) : text(in);
        return new Answer(Integer.parseInt(status.split(" ", -1)[1]), type, body);
    }

    private static String chunks(InputStream in) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (int size = Integer.parseInt(line(in), 16); size > 0; size = Integer.parseInt(line(in), 16)) {
            body.write(in.readNBytes(size));
            line(in);
        }
        return body.toString(StandardCharsets.UTF_8);
    }

    private static String text(InputStream in) throws IOException {
        return new String(in.readNBytes(MOST_ANSWER), StandardCharsets.UTF_8);
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new IOException("the answer ended within its head: '" + line + "'");
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    private String oneOf(List<String> some) {
        return some.get(random.nextInt(some.size()));
    }
}
