package io.ecfs.console.web.security;

import io.ecfs.console.web.audit.AuditLog;
import io.ecfs.console.web.problem.Problem;
import io.ecfs.console.web.settings.Account;
import io.ecfs.console.web.settings.ConsoleConfig;
import io.ecfs.console.web.settings.PasswordHash;
import io.ecfs.console.web.settings.Role;
import io.ecfs.env.Clock;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.Principal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.RequestCacheConfigurer;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.UsernamePasswordAuthenticationFilter;
import org.springframework.security.web.context.SecurityContextHolderFilter;
import org.springframework.security.web.csrf.CookieCsrfTokenRepository;
import org.springframework.security.web.firewall.RequestRejectedHandler;
import org.springframework.security.web.header.writers.ReferrerPolicyHeaderWriter.ReferrerPolicy;
import org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher;
import org.springframework.security.web.util.matcher.RequestMatcher;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * The rules of the console. The pages themselves hold no data and are open; all of {@code /api} but the question who
 * one is needs a session, and whatever changes something needs an operator's and the CSRF token that
 * {@code GET /api/v1/session} gives.
 */
@Configuration(proxyBeanMethods = false)
public class AccessRules {
    /** Login ({@code POST}) and the session's user ({@code GET}). */
    public static final String SESSION = "/api/v1/session";

    /** Logout ({@code POST}). */
    public static final String END = "/api/v1/session/end";

    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
                    + " connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors"
                    + " 'none'";

    private final Clock clock;
    private final LoginGuard guard;

    AccessRules(Clock clock) {
        this.clock = clock;
        this.guard = new LoginGuard(clock);
    }

    @Bean
    UserDetailsService users(ConsoleConfig config) {
        List<UserDetails> users = new ArrayList<>();
        for (Map.Entry<String, Account> account : config.accounts().entrySet()) {
            Role role = Role.parse(account.getValue().role());
            users.add(User.withUsername(account.getKey())
                    .password(account.getValue().password())
                    .roles(role == Role.OPERATOR ? new String[] {"VIEWER", "OPERATOR"} : new String[] {"VIEWER"})
                    .build());
        }
        return new InMemoryUserDetailsManager(users);
    }

    @Bean
    PasswordEncoder passwords(ConsoleConfig config) {
        return new HashedPasswords(config.accounts().values().stream()
                .mapToInt(account -> PasswordHash.parse(account.password()).iterations())
                .max()
                .orElse(PasswordHash.GENERATED));
    }

    /**
     * Rejects the paths that the servlet container's firewall refuses: {@code //}, {@code ..}, encoded slashes, control
     * characters.
     */
    @Bean
    RequestRejectedHandler refusedPaths() {
        return (request, response, refused) -> Problem.of(HttpStatus.BAD_REQUEST, "this address is not allowed")
                .write(response);
    }

    @Bean
    SecurityFilterChain rules(HttpSecurity http, ConsoleConfig config, AuditLog audit) throws Exception {
        SessionAge age = new SessionAge(config.sessionLifetime(), clock);
        CookieCsrfTokenRepository tokens = new CookieCsrfTokenRepository();
        tokens.setCookieCustomizer(cookie -> cookie.sameSite("Strict").secure(config.secure()));
        tokens.setCookieName(config.cookie("ECFS_CSRF"));
        http.authorizeHttpRequests(rules -> rules.dispatcherTypeMatchers(DispatcherType.ERROR)
                .permitAll()
                .requestMatchers(HttpMethod.GET, SESSION, "/api/v1/openapi.json")
                .permitAll()
                .requestMatchers(
                        "/api/v1/audit/**",
                        "/api/v1/usage",
                        "/api/v1/packs",
                        "/api/v1/safe-to-stop",
                        "/api/v1/webhooks",
                        "/api/v1/datanodes/*/reads")
                .hasRole("OPERATOR")
                .requestMatchers(HttpMethod.GET, "/api/**")
                .hasRole("VIEWER")
                .requestMatchers(HttpMethod.POST, END)
                .hasRole("VIEWER")
                .requestMatchers("/api/**")
                .hasRole("OPERATOR")
                .requestMatchers(HttpMethod.GET, "/**")
                .permitAll()
                .requestMatchers(HttpMethod.HEAD, "/**")
                .permitAll()
                .anyRequest()
                .denyAll());
        http.csrf(csrf -> csrf.csrfTokenRepository(tokens));
        http.formLogin(login -> login.loginPage("/")
                .loginProcessingUrl(SESSION)
                .usernameParameter("user")
                .passwordParameter("password")
                .successHandler((request, response, who) -> {
                    guard.succeeded(request.getRemoteAddr(), who.getName());
                    age.begin(request.getSession());
                    audit.add(new AuditLog.Entry(who.getName(), request.getRemoteAddr(), "login", "", "done"));
                    response.setStatus(HttpStatus.NO_CONTENT.value());
                })
                .failureHandler((request, response, failure) -> {
                    audit.addRefused(new AuditLog.Entry(
                            String.valueOf(request.getParameter("user")),
                            request.getRemoteAddr(),
                            "login",
                            "",
                            "refused: unknown user or wrong password"));
                    Problem.of(HttpStatus.UNAUTHORIZED, "unknown user or wrong password")
                            .write(response);
                }));
        http.logout(logout -> logout.logoutUrl(END).logoutSuccessHandler((request, response, who) -> {
            if (who != null) {
                audit.add(new AuditLog.Entry(who.getName(), request.getRemoteAddr(), "logout", "", "done"));
            }
            response.setStatus(HttpStatus.NO_CONTENT.value());
        }));
        http.exceptionHandling(refuse -> refuse.authenticationEntryPoint((request, response, failure) -> Problem.of(
                                HttpStatus.UNAUTHORIZED, "log in first: there is no session, or it is over")
                        .write(response))
                .accessDeniedHandler((request, response, failure) -> refused(request, response, audit)));
        http.headers(headers -> headers.contentSecurityPolicy(policy -> policy.policyDirectives(POLICY))
                .referrerPolicy(referrer -> referrer.policy(ReferrerPolicy.NO_REFERRER))
                .crossOriginOpenerPolicy(opener -> opener.policy(
                        org.springframework.security.web.header.writers.CrossOriginOpenerPolicyHeaderWriter
                                .CrossOriginOpenerPolicy.SAME_ORIGIN)));
        http.requestCache(RequestCacheConfigurer::disable);
        http.addFilterBefore(age, SecurityContextHolderFilter.class);
        http.addFilterBefore(new Patience(guard), UsernamePasswordAuthenticationFilter.class);
        return http.build();
    }

    private static void refused(HttpServletRequest request, HttpServletResponse response, AuditLog audit)
            throws IOException {
        Principal who = request.getUserPrincipal();
        // Of one without a session there is nothing to tell but an address.
        if (who != null) {
            audit.addRefused(new AuditLog.Entry(
                    who.getName(), request.getRemoteAddr(), request.getMethod(), request.getRequestURI(), "refused"));
        }
        Problem.of(
                        HttpStatus.FORBIDDEN,
                        "not allowed: it needs the role operator, and the token of GET " + SESSION + " in its header")
                .write(response);
    }

    /**
     * Has those wait who tried too many passwords. It takes for a login what the filter behind it does, however the
     * address is written.
     */
    private static final class Patience extends OncePerRequestFilter {
        private final RequestMatcher login = PathPatternRequestMatcher.pathPattern(HttpMethod.POST, SESSION);
        private final LoginGuard guard;

        Patience(LoginGuard guard) {
            this.guard = guard;
        }

        @Override
        protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws ServletException, IOException {
            if (login.matches(request)
                    && !guard.mayTry(request.getRemoteAddr(), String.valueOf(request.getParameter("user")))) {
                Problem.of(HttpStatus.TOO_MANY_REQUESTS, "too many wrong passwords: try again in some minutes")
                        .write(response);
                return;
            }
            chain.doFilter(request, response);
        }
    }
}
