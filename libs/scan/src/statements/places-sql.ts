/** SQL: how many devices take a place of the team code with this alias. Archived and wiped devices take none. */
export const takenPlaces = (code: string): string =>
  `(select count(*)::int from scanning_device taken
    where taken.team_code_id = ${code}.id and taken.archived_at is null and taken.wiped_at is null)`;
