/** As the server does it: an hour, the whole time again after five minutes, and a minute before another phone may have it. */
export const leaseMs = 3_600_000;
const renewMs = 300_000;
const reserveMs = 60_000;

interface Given {
  /** Indexes of the types that the phone has. */
  readonly types: readonly number[];
  /** When the first of them ends, on the server's clock; 0: it has none. */
  readonly end: number;
  readonly holders: ReadonlyArray<{ readonly type: number; readonly device_name: string; readonly gate: null }>;
}

/** Which phone lets in tickets of which type while it is cut off. */
export class ModelLeases {
  private readonly rows = new Map<number, { device: string; holder: string | null; end: number }>();

  give(device: string, holder: string | null, types: number, now: number): Given {
    for (let type = 0; type < types; type += 1) {
      const row = this.rows.get(type);
      const isMine = row?.device === device && row.holder === holder;
      const isDue = !row || (isMine ? row.end < now + leaseMs - renewMs : row.end < now - reserveMs);
      if (isDue && holder !== null) this.rows.set(type, { device, holder, end: now + leaseMs });
    }
    const held = [...this.rows].filter(([, { end }]) => end > now);
    const mine = held.filter(([, row]) => row.device === device && row.holder === holder);
    const others = held.filter((one) => !mine.includes(one));
    return {
      types: mine.map(([type]) => type),
      end: mine.length > 0 ? Math.min(...mine.map(([, { end }]) => end)) : 0,
      holders: others.map(([type, row]) => ({ type, device_name: row.device, gate: null })),
    };
  }
}
