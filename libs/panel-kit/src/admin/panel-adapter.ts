import { BaseProperty, BaseRecord, BaseResource, NotFoundError, ValidationError } from 'adminjs';
import type { AdminJS, Filter, PropertyType, ResourceOptions } from 'adminjs';
import { toPanelFilter } from '../resource/panel-filter.js';
import { PanelFieldError } from '../resource/panel-source.js';
import type { PanelProperty, PanelRow, PanelSort, PanelSource, PanelType } from '../resource/panel-source.js';
import { isEditable, isIdentifier, isSortable, readForm } from '../resource/panel-values.js';

const LONGEST_PAGE = 500;

/**
 * The AdminJS type of each of our types. Numbers are strings to AdminJS, because it converts an emptied number to 0 ("no limit" would
 * become "sold out") and drops an invalid one; our form fields and {@link readForm} handle them.
 */
const ADMIN_TYPES: Record<PanelType, PropertyType> = {
  string: 'string',
  textarea: 'textarea',
  number: 'string',
  float: 'string',
  decimal: 'string',
  boolean: 'boolean',
  date: 'date',
  datetime: 'datetime',
  uuid: 'uuid',
  reference: 'reference',
  email: 'string',
  url: 'string',
  password: 'password',
  mixed: 'mixed',
};

/** A {@link PanelProperty} as an AdminJS property. */
export class PanelBaseProperty extends BaseProperty {
  constructor(readonly panel: PanelProperty) {
    super({
      path: panel.name,
      // AdminJS validates identifiers by their type, so a numeric identifier must have the type number.
      type: panel.isId && panel.type === 'number' ? 'number' : ADMIN_TYPES[panel.type],
      isId: panel.isId === true,
      isSortable: isSortable(panel),
    });
  }

  override isTitle(): boolean {
    return this.panel.isTitle === true;
  }

  override isEditable(): boolean {
    return isEditable(this.panel);
  }

  override isRequired(): boolean {
    return this.panel.required === true;
  }

  override isArray(): boolean {
    return this.panel.isArray === true;
  }

  override reference(): string | null {
    return this.panel.reference ?? null;
  }

  override availableValues(): string[] | null {
    const values = this.panel.offeredValues?.() ?? this.panel.availableValues;
    return values ? [...values] : null;
  }
}

interface ListOptions {
  limit?: number | undefined;
  offset?: number | undefined;
  sort?: { sortBy?: string | undefined; direction?: 'asc' | 'desc' | undefined } | undefined;
}

const clamp = (value: unknown, low: number, high: number, otherwise: number): number => {
  const number = Math.trunc(Number(value));
  return Number.isFinite(number) ? Math.min(Math.max(number, low), high) : otherwise;
};

/** What lists offer only to people who may. */
const offered: ReadonlySet<string> = new Set(['exports', 'prints', 'sums']);

/**
 * A {@link PanelSource} as an AdminJS resource. It holds no connection and no tenant: the source calls the services, which use the tenant
 * of the current request. It rejects malformed filters, identifiers and fields before they reach the source.
 */
export class PanelResource extends BaseResource {
  private readonly drawn: PanelBaseProperty[];
  private readonly identifier: PanelProperty;

  /** @param offers whether the signed-in person is offered the list's files and sums */
  constructor(
    readonly source: PanelSource,
    private readonly offers: (action: string) => boolean,
  ) {
    super(source);
    this.drawn = source.properties.map((property) => new PanelBaseProperty(property));
    const identifier = source.properties.find((property) => property.isId);
    if (!identifier) throw new Error(`Panel source ${source.id} names no identifier`);
    this.identifier = identifier;
  }

  /** AdminJS determines the fields of a form once. Here they also depend on the tenant's category, which is checked for each page. */
  override assignDecorator(admin: AdminJS, options?: ResourceOptions): void {
    super.assignDecorator(admin, options);
    const decorator = this.decorate();
    const { list } = decorator.actions;
    const told = list?.custom.bind(list);
    if (list && told)
      list.custom = () =>
        Object.fromEntries(Object.entries(told()).map(([name, has]) => [name, has && (!offered.has(name) || this.offers(name))]));
    const named = decorator.getProperties.bind(decorator);
    decorator.getProperties = (asked) =>
      named(asked).filter(({ property }) => {
        const { panel } = property as PanelBaseProperty;
        return (panel.isShown?.() ?? true) && (asked.where !== 'edit' || (panel.inForms?.() ?? true));
      });
  }

  override id(): string {
    return this.source.id;
  }

  override databaseName(): string {
    return 'guichet';
  }

  override properties(): BaseProperty[] {
    return this.drawn;
  }

  override property(path: string): BaseProperty | null {
    return this.drawn.find((property) => property.path() === path) ?? null;
  }

  override async count(filter: Filter): Promise<number> {
    const checked = toPanelFilter(this.source.properties, filter);
    return checked ? this.source.count(checked) : 0;
  }

  override async find(filter: Filter, options: ListOptions): Promise<BaseRecord[]> {
    const checked = toPanelFilter(this.source.properties, filter);
    if (!checked) return [];
    const rows = await this.source.find({
      filter: checked,
      sort: this.order(options.sort),
      limit: clamp(options.limit, 1, LONGEST_PAGE, 20),
      offset: clamp(options.offset, 0, 10_000_000, 0),
    });
    return rows.map((row) => this.record(row));
  }

  override async findOne(id: string): Promise<BaseRecord | null> {
    if (!isIdentifier(this.identifier, id)) return null;
    const row = await this.source.findOne(id);
    return row ? this.record(row) : null;
  }

  override async findMany(ids: Array<string | number>): Promise<BaseRecord[]> {
    const known = [...new Set(ids.map(String))].filter((id) => isIdentifier(this.identifier, id)).slice(0, LONGEST_PAGE);
    const rows = known.length > 0 ? await this.source.findMany(known) : [];
    return rows.map((row) => this.record(row));
  }

  override async create(params: PanelRow): Promise<PanelRow> {
    const { source } = this;
    if (!source.create) throw new NotFoundError('No new record of this kind can be made here', 'create');
    return this.write(() => source.create!(this.form(params, true)));
  }

  override async update(id: string, params: PanelRow): Promise<PanelRow> {
    const { source } = this;
    const gone = new NotFoundError('No such record', 'update');
    if (!source.update || !isIdentifier(this.identifier, id)) throw gone;
    const row = await this.write(() => source.update!(id, this.form(params, false)));
    if (!row) throw gone;
    return row;
  }

  override async delete(id: string): Promise<void> {
    const { source } = this;
    if (!source.remove || !isIdentifier(this.identifier, id)) throw new NotFoundError('No such record', 'delete');
    // A deletion has no form with fields, so the first field's message becomes the notice.
    await this.write(
      () => source.remove!(id),
      (fields) => Object.values(fields)[0]?.message,
    );
  }

  private record(row: PanelRow): BaseRecord {
    return new BaseRecord(row, this);
  }

  private form(params: PanelRow, whole: boolean): PanelRow {
    const sent = this.record(params);
    return readForm(this.source.properties, (name) => sent.get(name), whole);
  }

  private order(sort: ListOptions['sort']): PanelSort | null {
    const property = this.source.properties.find(({ name }) => name === sort?.sortBy);
    if (!property || !isSortable(property)) return null;
    return { by: property.name, direction: sort?.direction === 'desc' ? 'desc' : 'asc' };
  }

  /** Converts field errors to AdminJS's ValidationError. */
  private async write<T>(
    work: () => Promise<T>,
    summarize: (fields: PanelFieldError['fields']) => string | undefined = () => undefined,
  ): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof PanelFieldError)) throw error;
      // AdminJS treats a record without field errors as saved, so a summary alone needs an error on some field.
      const fields = Object.keys(error.fields).length > 0 ? error.fields : { [this.identifier.name]: { message: '' } };
      const summary = error.summary ?? summarize(error.fields);
      throw new ValidationError(fields, summary ? { message: summary } : undefined);
    }
  }
}
