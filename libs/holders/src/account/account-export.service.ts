import { databaseNow } from '#kernel';
import { currentTenant, TenantDb } from '#tenancy';
import { Injectable } from '@nestjs/common';
import { exportSections, mostExported } from './account-export.sql.js';
import { valuesOfPerson, type AccountPerson } from './account-person.js';

/** What a tenant has stored about a person, as a file. */
@Injectable()
export class AccountExportService {
  constructor(private readonly db: TenantDb) {}

  /**
   * A JSON object with a list for each kind of data, the newest first. PostgreSQL makes the texts, so that a large export does not block
   * the event loop.
   * @param more further lists, for example of another lib
   * @returns JSON in UTF-8; `complete` is false when a list was cut
   */
  async json(person: AccountPerson, more: Readonly<Record<string, readonly object[]>> = {}): Promise<string> {
    const lists: string[] = [];
    let isComplete = true;
    await this.db.transaction(async (tx) => {
      for (const [name, sql] of Object.entries(exportSections)) {
        const [row] = await tx.query<{ list: string; count: number }[]>(
          `select coalesce(json_agg(part.data order by part.at desc), '[]')::text as list, count(*)::int as count
           from (select * from (${sql}) section order by section.at desc limit ${mostExported}) part`,
          valuesOfPerson(person),
        );
        const { list, count } = row as NonNullable<typeof row>;
        lists.push(`${JSON.stringify(name)}: ${list}`);
        isComplete &&= count < mostExported;
      }
    });
    for (const [name, list] of Object.entries(more)) lists.push(`${JSON.stringify(name)}: ${JSON.stringify(list)}`);
    const head = { place: currentTenant().name, email: person.email, exportedAt: databaseNow(), complete: isComplete };
    const facts = Object.entries(head).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
    return `{\n${[...facts, ...lists].join(',\n')}\n}\n`;
  }
}
