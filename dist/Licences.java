import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * The licences of a release archive: {@code java Licences.java BOM.XML LIB TEXTS OUT}. Of each jar of others in LIB,
 * what its {@code META-INF} has of licences and notices goes to {@code OUT/JAR/}, and one line to {@code
 * OUT/DEPENDENCIES}: the jar, the licences that the bill of materials names, and where their text is. A jar without a
 * text of its own has {@code TEXTS/ARTIFACT}, with the names of its authors, or that of its licence, {@code
 * TEXTS/SPDX-ID}. Fails when a jar is not in the bill of materials, has no licence there, or no text is at hand.
 */
final class Licences {
    private static final Pattern TEXT =
            Pattern.compile("(META-INF/)?([^/]*/)?[^/]*(LICEN[SC]E|NOTICE|COPYING|COPYRIGHT)[^/]*", Pattern.CASE_INSENSITIVE);
    private static final Pattern CODE = Pattern.compile(".*\\.(class|java|js|xml|properties|html?|json)", Pattern.CASE_INSENSITIVE);

    private Licences() {}

    public static void main(String[] arguments) throws Exception {
        Map<String, Set<String>> licences = licences(Path.of(arguments[0]));
        Path texts = Path.of(arguments[2]);
        Path out = Files.createDirectories(Path.of(arguments[3]));
        List<String> lines = new ArrayList<>();
        List<String> faults = new ArrayList<>();
        Set<String> general = new LinkedHashSet<>();
        try (Stream<Path> files = Files.list(Path.of(arguments[1]))) {
            for (Path file : files.filter(f -> f.toString().endsWith(".jar")).sorted().toList()) {
                String name = file.getFileName().toString().replaceFirst("\\.jar$", "");
                if (name.startsWith("ec-")) {
                    continue;
                }
                Set<String> its = licences.getOrDefault(name, Set.of());
                if (its.isEmpty()) {
                    faults.add(name + ": no licence in the bill of materials");
                }
                boolean own = extract(file, out.resolve(name)) > 0;
                String where = name + "/";
                if (!own) {
                    String artifact = name.replaceFirst("-[0-9].*", "");
                    Set<String> known =
                            Files.isRegularFile(texts.resolve(artifact)) ? new LinkedHashSet<>(Set.of(artifact)) : new LinkedHashSet<>(its);
                    known.removeIf(id -> !Files.isRegularFile(texts.resolve(id)));
                    if (known.isEmpty() && !its.isEmpty()) {
                        faults.add(name + ": no text of " + its + " in the jar or in " + texts);
                    }
                    general.addAll(known);
                    where = String.join(", ", known);
                }
                lines.add(name + ".jar\t" + String.join(" or ", its) + "\t" + where);
            }
        }
        general.add("Apache-2.0");
        for (String id : general) {
            Files.copy(texts.resolve(id), out.resolve(id));
        }
        lines.add(0, "jar\tlicence, as its author declares it\ttext, in this directory");
        Files.write(out.resolve("DEPENDENCIES"), lines);
        faults.forEach(System.err::println);
        System.exit(faults.isEmpty() ? 0 : 1);
    }

    /** Licences by the names that jars have: artifact, version, and classifier where there is one. */
    private static Map<String, Set<String>> licences(Path bom) throws Exception {
        Map<String, Set<String>> found = new TreeMap<>();
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setNamespaceAware(true);
        NodeList components =
                factory.newDocumentBuilder().parse(bom.toFile()).getElementsByTagNameNS("*", "component");
        for (int i = 0; i < components.getLength(); i++) {
            Element component = (Element) components.item(i);
            Set<String> its = new LinkedHashSet<>();
            for (String kind : List.of("id", "name", "expression")) {
                NodeList values = component.getElementsByTagNameNS("*", kind);
                for (int j = 0; j < values.getLength(); j++) {
                    String parent = values.item(j).getParentNode().getLocalName();
                    if (parent.equals("license") || parent.equals("licenses")) {
                        its.add(values.item(j).getTextContent().strip());
                    }
                }
            }
            String purl = child(component, "purl");
            String classifier = purl.contains("classifier=") ? "-" + purl.replaceFirst(".*classifier=([^&]*).*", "$1") : "";
            found.put(child(component, "name") + "-" + child(component, "version") + classifier, its);
        }
        return found;
    }

    private static String child(Element element, String name) {
        for (var node = element.getFirstChild(); node != null; node = node.getNextSibling()) {
            if (name.equals(node.getLocalName())) {
                return node.getTextContent().strip();
            }
        }
        return "";
    }

    /** How many texts of a licence, not counting notices, the jar has. */
    private static int extract(Path file, Path to) throws IOException {
        int texts = 0;
        try (JarFile jar = new JarFile(file.toFile())) {
            for (JarEntry entry : (Iterable<JarEntry>) jar.stream()::iterator) {
                String name = entry.getName();
                if (entry.isDirectory() || !TEXT.matcher(name).matches() || CODE.matcher(name).matches()) {
                    continue;
                }
                Files.createDirectories(to);
                try (InputStream in = jar.getInputStream(entry)) {
                    Files.write(
                            to.resolve(name.replaceFirst("^META-INF/", "").replace('/', '_')),
                            new String(in.readAllBytes(), StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_8));
                }
                texts += name.toUpperCase().contains("NOTICE") ? 0 : 1;
            }
        }
        return texts;
    }
}
