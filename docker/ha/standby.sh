#!/bin/sh
# A standby: copies the primary when its folder is empty, then follows it. Needs PRIMARY_HOST and PGPASSWORD of the role replicator.
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  until pg_basebackup --host "$PRIMARY_HOST" --username replicator --pgdata "$PGDATA" --write-recovery-conf --checkpoint fast; do
    find "$PGDATA" -mindepth 1 -delete
    sleep 2
  done
fi
chmod 0700 "$PGDATA"
exec docker-entrypoint.sh postgres "$@"
