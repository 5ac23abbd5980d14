package io.ecfs.console.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.lang.ArchRule;

/** How things are called. */
final class Names {

    static final ArchRule NO_NAME_IS_A_SHRUG = noClasses()
            .should()
            .haveNameMatching(".*(Util|Utils|Helper|Helpers|Manager|Impl)(\\$.*)?")
            .because(
                    "such a name says where code was put and not what it is: name the concept, and its methods find it");

    private Names() {}
}
