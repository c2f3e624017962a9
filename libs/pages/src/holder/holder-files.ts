import { reply, type Reply } from '#http';

/** A personal file, shown in the browser. @param name file name with extension */
export function fileReply(type: string, name: string, file: Buffer): Reply<Buffer> {
  const headers = { 'Content-Type': type, 'Cache-Control': 'no-store', 'Content-Disposition': `inline; filename="${name}"` };
  return reply(file, { headers });
}
