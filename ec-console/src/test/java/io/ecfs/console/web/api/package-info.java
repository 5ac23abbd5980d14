package io.ecfs.console.web.api;
