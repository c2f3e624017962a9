/** The multipart parser that AdminJS's Express plugin uses too; it ships no types. */
declare module 'express-formidable' {
  import type { NextFunction, Request, RequestHandler, Response } from 'express';
  export interface FileListener {
    readonly event: 'fileBegin';
    action(request: Request, response: Response, next: NextFunction, name: string, file: { readonly path: string }): void;
  }
  export default function formidable(options?: Record<string, unknown>, listeners?: readonly FileListener[]): RequestHandler;
}
