import pg from 'pg';

/** The part of pg's connection that sends, and what it knows about prepared statements. */
interface Sender {
  /** By name: those that PostgreSQL has, and those that it was sent. */
  readonly parsedStatements: Record<string, string>;
  readonly submittedNamedStatements: Record<string, string>;
  parse(statement: { name?: string | undefined; text: string }): void;
  bind(to: { statement?: string | undefined; values: unknown[] | undefined }): void;
  describe(what: { type: 'P' }): void;
  execute(how: object): void;
  sync(): void;
}

/** pg's query, with what its types leave out: the client calls these when messages of PostgreSQL arrive. */
const Query = pg.Query as unknown as abstract new (config: object) => {
  /** Under which the client notes that PostgreSQL has prepared a statement. */
  name: string | undefined;
  text: string | undefined;
  handleDataRow(row: unknown): void;
  handleCommandComplete(end: unknown, connection: Sender): void;
  handleError(error: Error, connection: Sender): void;
};

/**
 * Statements as one query of pg. Only one Sync is sent, behind all of them: PostgreSQL runs them as one transaction without BEGIN and
 * COMMIT, commits it at the Sync, after an error ignores all that follows, and answers them together.
 */
export class StatementsAtOnce extends Query {
  /** How many have ended. */
  private ended = 0;

  /** @param statements with text or bytes as values; rows are returned of the last one only */
  constructor(private readonly statements: readonly pg.QueryConfig<unknown[]>[]) {
    super({});
    this.expect();
  }

  /** The texts, for tests. */
  get texts(): string[] {
    return this.statements.map(({ text }) => text);
  }

  submit(connection: Sender): null {
    const { parsedStatements, submittedNamedStatements } = connection;
    for (const statement of this.statements) {
      const { name, text, values } = statement;
      if (name === undefined || !(name in parsedStatements || name in submittedNamedStatements)) connection.parse({ name, text });
      if (name !== undefined && !(name in parsedStatements)) submittedNamedStatements[name] = text;
      connection.bind({ statement: name, values });
      if (statement === this.statements.at(-1)) connection.describe({ type: 'P' });
      connection.execute({});
    }
    connection.sync();
    return null;
  }

  override handleDataRow(row: unknown): void {
    if (this.ended === this.statements.length - 1) super.handleDataRow(row);
  }

  override handleCommandComplete(end: unknown, connection: Sender): void {
    this.ended += 1;
    this.expect();
    if (this.ended === this.statements.length) super.handleCommandComplete(end, connection);
  }

  override handleError(error: Error, connection: Sender): void {
    // PostgreSQL has ignored those behind the one that failed.
    for (const { name } of this.statements.slice(this.ended)) if (name !== undefined) delete connection.submittedNamedStatements[name];
    super.handleError(error, connection);
  }

  /** PostgreSQL answers the statements in their order. */
  private expect(): void {
    const { name, text } = this.statements[this.ended] ?? {};
    this.name = name;
    this.text = text;
  }
}
