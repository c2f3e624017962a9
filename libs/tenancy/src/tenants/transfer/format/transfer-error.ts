/** An expected failure of an export or import. The message is one line that tells the operator what to do. */
export class TransferError extends Error {}

const fileErrors: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
  ENOSPC: 'no space is left on the disk',
  EDQUOT: 'the quota of the disk is used up',
  EFBIG: 'the file system takes no file of this size',
  EROFS: 'the file system is read-only',
};

/** Explains an error of the operating system; returns other errors unchanged. */
export function fileErrorOf(error: unknown, act: 'read' | 'written', path: string): unknown {
  const reason = fileErrors[(error as NodeJS.ErrnoException).code ?? ''];
  return reason ? new TransferError(`${path} cannot be ${act}: ${reason}.`, { cause: error }) : error;
}

/** Explains an error of PostgreSQL that the file or the disk causes; returns other errors unchanged. */
export function databaseErrorOf(error: unknown): unknown {
  const { code, message } = ((error as { driverError?: unknown }).driverError ?? error) as {
    code?: string;
    message?: string;
  };
  if (code === '53100')
    return new TransferError('PostgreSQL has no disk space left: free some, and go on with --resume.', {
      cause: error,
    });
  if (!code || !/^2[23][0-9A-Z]{3}$/.test(code)) return error;
  return new TransferError(`The rows of the file do not fit (${message}): it was changed, or its tenant was.`, {
    cause: error,
  });
}
