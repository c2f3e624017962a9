// oxlint-disable eslint/no-underscore-dangle -- the names of pg
import pg from 'pg';

/** The parts of pg's queries that this file uses. */
interface Sent {
  readonly name?: string;
  readonly rows?: number;
  requiresPreparation(): boolean;
  submit(connection: object): Error | null;
  handleReadyForQuery(connection: object): void;
  handleError(error: Error, connection: object): void;
}

interface Wire {
  _send(bytes: Buffer): unknown;
  sync(): void;
  readonly submittedNamedStatements: Record<string, string>;
}

/** The parts of pg's client that this file uses or replaces. */
interface Internals {
  readonly connection: Wire;
  readonly _connected: boolean;
  readonly _queryable: boolean;
  readonly _queryQueue: Sent[];
  readonly _sentQueryQueue: Sent[];
  _activeQuery: Sent | null;
  readyForQuery: boolean;
  hasExecuted: boolean;
  pipeline: boolean;
  _pulsePipelinedQueryQueue(): void;
  _handleReadyForQuery(message: { status?: string }): void;
  _handleCommandComplete(message: object): void;
  _handleErrorMessage(message: Error): void;
  _errorAllQueries(error: Error): void;
}

const Base = pg.Client as unknown as new (config: object) => pg.Client & Internals;

/** Statements that PostgreSQL answers together: after an error it skips the rest of them. */
interface Group {
  readonly members: Sent[];
  completed: number;
  failure: Error | undefined;
}

/**
 * A connection that sends all statements of one turn of the event loop with one system call, and lets PostgreSQL answer them with one:
 * these calls cost more than most statements. Statements of a turn belong to one transaction of the caller; without one, PostgreSQL
 * executes them as one.
 */
export class PipelinedClient extends Base {
  private readonly groups = new WeakMap<Sent, Group>();
  private answered: Group | undefined;
  private scheduled = false;

  constructor(config: object) {
    super(config);
    this.pipeline = true;
  }

  override _pulsePipelinedQueryQueue(): void {
    if (!this._connected || !this._queryable) return;
    if (this.readyForQuery && !this._activeQuery) this.begin();
    if (this._queryQueue.length === 0) {
      if (!this._activeQuery && this.hasExecuted) this.emit('drain');
      return;
    }
    if (this.scheduled) return;
    this.scheduled = true;
    process.nextTick(() => {
      this.scheduled = false;
      this.send();
    });
  }

  override _handleCommandComplete(message: object): void {
    const query = this._activeQuery;
    super._handleCommandComplete(message);
    const group = query && this.groups.get(query);
    if (!group) return;
    group.completed += 1;
    this.answered = group;
    this._activeQuery = group.completed < group.members.length ? (this._sentQueryQueue.shift() as Sent) : null;
  }

  override _handleErrorMessage(message: Error): void {
    const query = this._activeQuery;
    const group = query ? this.groups.get(query) : this.answered;
    if (!group) return super._handleErrorMessage(message);
    group.failure = message;
    this.answered = group;
    // PostgreSQL skips them, so they are not prepared.
    const skipped = group.members.slice(group.completed);
    for (const { name } of skipped) if (name) delete this.connection.submittedNamedStatements[name];
    this._sentQueryQueue.splice(0, query ? skipped.length - 1 : 0);
    this._activeQuery = null;
  }

  override _handleReadyForQuery(message: { status?: string }): void {
    const group = this.answered;
    this.answered = undefined;
    super._handleReadyForQuery(message);
    if (group) this.settle(group, message.status === 'E');
  }

  override _errorAllQueries(error: Error): void {
    const { _activeQuery: query } = this;
    const group = (query && this.groups.get(query)) ?? this.answered;
    this.answered = undefined;
    if (group) {
      const reason = group.failure ?? error;
      // The active statement and those behind it get the error below.
      const others = query ? group.members.slice(0, group.completed) : group.members;
      process.nextTick(() => others.forEach((member) => member.handleError(reason, this.connection)));
    }
    super._errorAllQueries(error);
  }

  /** Makes the first statement that was sent the active one, to which the answers belong. */
  private begin(): void {
    const query = this._sentQueryQueue.shift();
    if (!query) return;
    this._activeQuery = query;
    this.readyForQuery = false;
  }

  /** Tells each statement of a group its result. @param inTransaction the results before the error are valid until the rollback */
  private settle({ members, completed, failure }: Group, inTransaction: boolean): void {
    for (const [index, query] of members.entries()) {
      if (!failure || (inTransaction && index < completed)) query.handleReadyForQuery(this.connection);
      else query.handleError(failure, this.connection);
    }
  }

  private send(): void {
    if (!this._connected || !this._queryable || this._queryQueue.length === 0) return;
    const { connection } = this;
    const parts: Buffer[] = [];
    let group: Group | undefined;
    let unfit = false;
    const wire = Object.create(connection, {
      _send: { value: (bytes: Buffer) => parts.push(bytes) },
      sync: { value: () => undefined },
      // pg closes a statement whose values it cannot write.
      close: { value: () => (unfit = true) },
    }) as object;
    const endGroup = (): void => {
      if (group) connection.sync.call({ _send: (bytes: Buffer) => parts.push(bytes) });
      group = undefined;
    };
    this.hasExecuted = true;
    for (let query = this._queryQueue.shift(); query; query = this._queryQueue.shift()) {
      const isGrouped = query.requiresPreparation() && !query.rows;
      if (!isGrouped) endGroup();
      const before = parts.length;
      const error = query.submit(wire);
      if (error || unfit) {
        parts.length = before;
        if (query.name) delete connection.submittedNamedStatements[query.name];
        this.refuse([query, ...this._queryQueue.splice(0)], error ?? new Error('A statement before this one could not be sent.'));
        break;
      }
      this._sentQueryQueue.push(query);
      if (!isGrouped) continue;
      group ??= { members: [], completed: 0, failure: undefined };
      group.members.push(query);
      this.groups.set(query, group);
    }
    endGroup();
    if (parts.length > 0) connection._send(Buffer.concat(parts));
    if (this.readyForQuery && !this._activeQuery) this.begin();
  }

  private refuse(queries: readonly Sent[], error: Error): void {
    process.nextTick(() => queries.forEach((query) => query.handleError(error, this.connection)));
  }
}
