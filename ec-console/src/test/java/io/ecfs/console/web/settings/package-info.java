package io.ecfs.console.web.settings;
