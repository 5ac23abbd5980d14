package io.ecfs.console.web.history;
