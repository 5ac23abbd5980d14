package io.ecfs.console.web.api;

import io.ecfs.console.web.problem.Problem;
import io.ecfs.error.EcfsException;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.TypeMismatchException;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** Turns every failure into a problem; what no caller could have caused is logged. */
@RestController
@RestControllerAdvice
final class Refusals implements ErrorController {
    private static final Logger LOG = LoggerFactory.getLogger(Refusals.class);

    @ExceptionHandler(Exception.class)
    ResponseEntity<byte[]> failed(Exception failure, HttpServletRequest request) {
        return problem(failure, request).entity();
    }

    /** Requests that the servlet container itself rejects. */
    @RequestMapping("/error")
    ResponseEntity<byte[]> refused(HttpServletRequest request) {
        Object code = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
        HttpStatus status = code instanceof Integer number ? HttpStatus.resolve(number) : HttpStatus.NOT_FOUND;
        return Problem.of(status == null ? HttpStatus.INTERNAL_SERVER_ERROR : status, "the request was refused")
                .entity();
    }

    private static Problem problem(Exception failure, HttpServletRequest request) {
        if (failure instanceof EcfsException e) {
            return Problem.of(e);
        }
        if (failure instanceof ErrorResponse e) {
            HttpStatus status = HttpStatus.resolve(e.getStatusCode().value());
            String detail = e.getBody().getDetail();
            return Problem.of(
                    status == null ? HttpStatus.BAD_REQUEST : status,
                    detail == null ? "the request was refused" : detail);
        }
        if (failure instanceof TypeMismatchException e) {
            return Problem.of(HttpStatus.BAD_REQUEST, "'" + e.getValue() + "' is no value for it");
        }
        if (failure instanceof InvalidParameterException) {
            return Problem.of(HttpStatus.BAD_REQUEST, "the parameters of the address are malformed");
        }
        if (failure instanceof IllegalArgumentException) {
            return Problem.of(HttpStatus.BAD_REQUEST, String.valueOf(failure.getMessage()));
        }
        if (failure instanceof IOException) {
            LOG.info("event=request_failed uri={} reason=\"{}\"", request.getRequestURI(), failure.toString());
            return Problem.of(HttpStatus.SERVICE_UNAVAILABLE, "the cluster did not answer: " + failure.getMessage());
        }
        LOG.error("event=request_failed method={} uri={}", request.getMethod(), request.getRequestURI(), failure);
        return Problem.of(HttpStatus.INTERNAL_SERVER_ERROR, "a defect of the console: its log says more");
    }
}
