package io.ecfs.console.web.security;
