/** The form reader that AdminJS's Express plugin uses too; it ships no types. */
declare module 'express-formidable' {
  import type { RequestHandler } from 'express';
  export default function formidable(options?: Record<string, unknown>): RequestHandler;
}
