package io.ecfs.console.web.user;
