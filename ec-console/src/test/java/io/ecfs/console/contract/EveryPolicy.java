package io.ecfs.console.contract;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.junit.jupiter.params.support.ParameterDeclarations;

/**
 * A class of suites that runs once on directories of each policy of {@code ecfs.contract.policies}, which the build sets
 * from {@code test.contract.policies}: one policy in {@code ./ecfs test}, all with {@code --all}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("contract")
@ExtendWith(SharedCluster.class)
@ParameterizedClass(name = "{0}")
@ArgumentsSource(EveryPolicy.Policies.class)
@interface EveryPolicy {
    /** Their names. */
    class Policies implements ArgumentsProvider {
        private static final String ALL = "rs-6-3-64k,rs-3-2-64k,replication-3-64k";

        @Override
        public Stream<? extends Arguments> provideArguments(
                ParameterDeclarations parameters, ExtensionContext context) {
            return Arrays.stream(
                            System.getProperty("ecfs.contract.policies", ALL).split(","))
                    .map(Arguments::of);
        }
    }
}
