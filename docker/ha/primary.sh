#!/bin/sh
# Runs once, when the primary's database is created: creates a role for the standbys; from the next start on, commits wait for one of them.
set -eu
psql --set ON_ERROR_STOP=1 --set password="$REPLICATION_PASSWORD" --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
create role replicator with replication login password :'password';
alter system set synchronous_standby_names = 'ANY 1 (standby_1, standby_2)';
SQL
echo 'host replication replicator all scram-sha-256' >> "$PGDATA/pg_hba.conf"
