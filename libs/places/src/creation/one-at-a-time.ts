/** Runs work of the same key one after the other in this process, in the order of arrival. Keys without work use no memory. */
export class OneAtATime {
  private readonly last = new Map<string, Promise<unknown>>();

  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.last.get(key);
    const own = before ? before.then(work, work) : work();
    this.last.set(key, own);
    try {
      return await own;
    } finally {
      if (this.last.get(key) === own) this.last.delete(key);
    }
  }
}
