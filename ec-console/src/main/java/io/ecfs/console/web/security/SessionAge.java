package io.ecfs.console.web.security;

import io.ecfs.env.Clock;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.time.Duration;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Ends a session some time after its login, however busy it is: a stolen cookie is worth no more than that. Streams ask
 * {@link #valid} before each write.
 */
public final class SessionAge extends OncePerRequestFilter {
    private static final String END_NANOS = SessionAge.class.getName();

    private final Duration lifetime;
    private final Clock clock;

    SessionAge(Duration lifetime, Clock clock) {
        this.lifetime = lifetime;
        this.clock = clock;
    }

    /** Counts from now, at each login. */
    void begin(HttpSession session) {
        session.setAttribute(END_NANOS, clock.nanos() + lifetime.toNanos());
    }

    /** True when there is a session that has not expired. */
    public static boolean valid(HttpSession session, Clock clock) {
        try {
            return session != null
                    && !(session.getAttribute(END_NANOS) instanceof Long end && clock.nanos() - end >= 0);
        } catch (IllegalStateException over) {
            return false;
        }
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        HttpSession session = request.getSession(false);
        if (session != null && !valid(session, clock)) {
            end(session);
        }
        chain.doFilter(request, response);
    }

    private static void end(HttpSession session) {
        try {
            session.invalidate();
        } catch (IllegalStateException over) {
            // Another request of it was sooner.
            return;
        }
    }
}
