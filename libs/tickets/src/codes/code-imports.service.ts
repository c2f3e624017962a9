import { Injectable } from '@nestjs/common';
import { currentLanguage, RefusedInput, retryOnDeadlock, type Text } from '#kernel';
import { anyOf, TenantDb, type Tx } from '#tenancy';
import { Code } from '../entities/code.entity.js';
import { texts } from '../locales/tickets.texts.js';
import { CodesService } from './codes.service.js';
import { lockKept } from './kept-places.js';
import { checkedCode, codeLimits, refused, writableOf, type NewCode } from './new-code.js';

const targets = { eventIds: 'event', productIds: 'product', priceIds: 'price' } as const;
type Target = keyof typeof targets;

/** A line of a file of codes. */
export interface CodeLine {
  readonly line: number;
  /** What the line says; members that the file does not have are absent. */
  readonly code: NewCode;
  /** Identifiers, or names that only one has, of what the code is for. */
  readonly named: Readonly<Partial<Record<Target, readonly string[]>>>;
}

/** Why a line cannot be imported, in the language of the request. */
export interface CodeLineFault {
  readonly line: number;
  /** The member of the code; undefined: the line as a whole. */
  readonly field?: string;
  readonly message: string;
}

export interface CodeImportReport {
  readonly lines: number;
  readonly added: number;
  /** Codes that the venue has already, with the same values. */
  readonly unchanged: number;
  /** In the order of the lines. */
  readonly faults: readonly CodeLineFault[];
  /** Whether the codes are stored. */
  readonly isImported: boolean;
}

/** Codes that one statement writes or reads. */
const atOnce = 500;

/** Rolls back what was tried. */
class NotImported extends Error {
  constructor(readonly report: CodeImportReport) {
    super('not imported');
  }
}

/** Imports codes from the lines of a file: all of them, or none. */
@Injectable()
export class CodeImportsService {
  constructor(
    private readonly db: TenantDb,
    private readonly codes: CodesService,
  ) {}

  /**
   * Makes the codes of the lines that do not exist. A line never changes a code, so the same file can be imported again.
   * @param unread faults of lines that are not among these
   * @param isCheck nothing is stored, whatever the lines say
   * @throws RefusedInput on `file` when its lines name or keep too much
   */
  async run(lines: readonly CodeLine[], unread: readonly CodeLineFault[], isCheck: boolean): Promise<CodeImportReport> {
    refuseTooMuch(lines);
    const attempt = (): Promise<CodeImportReport> =>
      retryOnDeadlock(() =>
        this.db.transaction(async (tx) => {
          const report = await this.runIn(tx, lines, unread);
          if (isCheck || report.faults.length > 0) throw new NotImported({ ...report, isImported: false });
          return report;
        }),
      );
    try {
      // Another import of the same codes may have ended meanwhile: they exist then.
      return await attempt().catch((error: unknown) => (isTaken(error) ? attempt() : Promise.reject(error)));
    } catch (error) {
      if (error instanceof NotImported) return error.report;
      throw error;
    }
  }

  private async runIn(tx: Tx, lines: readonly CodeLine[], unread: readonly CodeLineFault[]): Promise<CodeImportReport> {
    const faults = [...unread];
    const checked = withoutRepetitions(checkAll(await withIds(tx, lines, faults), faults), faults);
    // Before all codes, as sales do. Each code that keeps places is looked at below.
    await lockKept(tx, [...checked.codes.map(({ code }) => code), { reserved: 0 }]);
    const stored = await storedLike(tx, checked.codes);
    const added = checked.codes.filter(({ line, code, given }) => {
      const known = stored.get(code.code);
      if (known && differs(given, known)) faults.push({ line, message: say(texts.localized('codes.import.other')) });
      return !known;
    });
    await this.make(tx, added, faults);
    return {
      lines: lines.length + new Set(unread.map(({ line }) => line)).size,
      added: added.length,
      unchanged: checked.repeated + checked.codes.length - added.length,
      faults: faults.toSorted((one, other) => one.line - other.line),
      isImported: true,
    };
  }

  /** In the order of their texts, so that imports at the same time wait for one another instead of blocking one another. */
  private async make(tx: Tx, added: readonly Checked[], faults: CodeLineFault[]): Promise<void> {
    const sorted = added.toSorted((one, other) => (one.code.code < other.code.code ? -1 : 1));
    const plain = sorted.filter(({ code: { reserved = 0 } }) => reserved === 0);
    for (let from = 0; from < plain.length; from += atOnce) {
      const some = plain.slice(from, from + atOnce).map(({ code }) => code);
      await this.codes.createIn(tx, some);
    }
    for (const { line, code } of sorted.filter(({ code: { reserved = 0 } }) => reserved > 0)) {
      try {
        await this.codes.createIn(tx, [code]);
      } catch (error) {
        if (!(error instanceof RefusedInput) || isTaken(error)) throw error;
        faults.push({ line, field: error.field, message: error.message });
        // The lines below are not refused for its places.
        await tx.delete(Code, { code: code.code });
      }
    }
  }
}

function refuseTooMuch(lines: readonly CodeLine[]): void {
  if (lines.filter(({ code }) => (code.reserved ?? 0) > 0).length > codeLimits.keepingLines) throw refused('file', 'manyKeeping');
  for (const target of Object.keys(targets) as Target[]) {
    const names = new Set<string>();
    for (const { named } of lines) {
      for (const name of named[target] ?? []) names.add(name);
      if (names.size > codeLimits.names) throw refused('file', 'manyNames');
    }
  }
}

const say = (text: Text): string => text[currentLanguage()];

/** Whether somebody else made one of the codes in between. */
const isTaken = (error: unknown): boolean => error instanceof RefusedInput && error.field === 'code';

interface Checked {
  readonly line: number;
  readonly code: NewCode;
  /** What the line sets, as it is stored. */
  readonly given: NewCode;
}

/** Finds what the lines name. */
async function withIds(
  tx: Tx,
  lines: readonly CodeLine[],
  faults: CodeLineFault[],
): Promise<(Pick<CodeLine, 'line'> & { code: NewCode })[]> {
  const found = new Map<Target, ReadonlyMap<string, readonly string[]>>();
  for (const target of Object.keys(targets) as Target[])
    found.set(target, await idsOf(tx, target, new Set(lines.flatMap(({ named }) => named[target] ?? []))));
  return lines.flatMap(({ line, code, named }) => {
    const unfit: CodeLineFault[] = [];
    const ids = (Object.entries(named) as [Target, readonly string[]][]).map(([field, names]) => {
      if (names.length > codeLimits.targets) {
        unfit.push({ line, field, message: refused(field, 'tooMany').message });
        return [field, []] as const;
      }
      const each = names.map((name) => {
        const [id, another] = found.get(field)?.get(name) ?? [];
        if (id === undefined) unfit.push({ line, field, message: say(texts.localized('codes.import.unknown', { name })) });
        else if (another !== undefined) unfit.push({ line, field, message: say(texts.localized('codes.import.several', { name })) });
        return id ?? '';
      });
      return [field, [...new Set(each)]] as const;
    });
    faults.push(...unfit);
    return unfit.length > 0 ? [] : [{ line, code: { ...code, ...Object.fromEntries(ids) } }];
  });
}

/** The ids of what has an id or a name, at most two for each. */
async function idsOf(tx: Tx, target: Target, names: ReadonlySet<string>): Promise<ReadonlyMap<string, readonly string[]>> {
  if (names.size === 0) return new Map();
  const table = targets[target];
  const rows = await tx.query<{ name: string; ids: string[] }[]>(
    `with found as (
       select asked.name, one.id, 1 as rank from unnest($1::text[]) asked (name) join ${table} one on one.id::text = lower(asked.name)
       union all
       select asked.name, one.id, 2 from unnest($1::text[]) asked (name) join ${table} one on one.name = asked.name)
     select name, (array_agg(id order by rank))[1:2] as ids from found group by name`,
    [[...names]],
  );
  return new Map(rows.map(({ name, ids }) => [name, ids]));
}

function checkAll(lines: readonly { readonly line: number; readonly code: NewCode }[], faults: CodeLineFault[]): Checked[] {
  return lines.flatMap(({ line, code: given }) => {
    try {
      const code = checkedCode(given);
      const members = Object.keys(given) as (keyof NewCode)[];
      return [{ line, code, given: Object.fromEntries(members.map((name) => [name, code[name]])) as NewCode }];
    } catch (error) {
      if (!(error instanceof RefusedInput)) throw error;
      faults.push({ line, field: error.field, message: error.message });
      return [];
    }
  });
}

/** Equal lines count once; lines that contradict each other about one code are faults. */
function withoutRepetitions(lines: readonly Checked[], faults: CodeLineFault[]): { codes: Checked[]; repeated: number } {
  const first = new Map<string, Checked>();
  let repeated = 0;
  for (const one of lines) {
    const same = first.get(one.code.code);
    if (!same) first.set(one.code.code, one);
    else if (JSON.stringify(same.given) === JSON.stringify(one.given)) repeated += 1;
    else faults.push({ line: one.line, field: 'code', message: say(texts.localized('codes.import.sameCode', { line: same.line })) });
  }
  return { codes: [...first.values()], repeated };
}

async function storedLike(tx: Tx, lines: readonly Checked[]): Promise<ReadonlyMap<string, Code>> {
  const codes = await tx.find(Code, { where: { code: anyOf(lines.map(({ code }) => code.code)) } });
  return new Map(codes.map((code) => [code.code, code]));
}

/** Whether a line sets something that the stored code has otherwise. Lists have times without seconds. */
function differs(given: NewCode, stored: Code): boolean {
  const known = writableOf(stored);
  return (Object.keys(given) as (keyof NewCode)[]).some((name) => comparable(given[name]) !== comparable(known[name]));
}

function comparable(value: NewCode[keyof NewCode]): string {
  if (value instanceof Date) return value.toISOString().slice(0, 16);
  return Array.isArray(value) ? value.toSorted().join(' ') : String(value ?? '');
}
