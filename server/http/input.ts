import type { FastifyRequest } from 'fastify'
import type { Route } from '../../contract/route.ts'
import { AppError } from '../errors.ts'
import type { UploadedFiles } from '../handler.ts'
import type { Viewer } from '../viewer.ts'
import { readForm } from './multipart.ts'

export type Input = {
  params: Record<string, unknown>
  query: Record<string, unknown>
  body: Record<string, unknown>
}

/** A call's input, parsed by its contract, with the files of a form. */
export async function readInput(
  route: Route,
  request: FastifyRequest,
): Promise<{ input: Input; files: UploadedFiles }> {
  const form = route.multipart ? await readForm(request) : null
  const body = form ? form.fields : request.body
  const input = {
    params: route.params?.parse(request.params) ?? {},
    query: route.query?.parse(request.query) ?? {},
    body: route.body?.parse(body ?? {}) ?? {},
  }
  return { input, files: form?.files ?? new Map() }
}

/** Refuses a call whose acting person is somebody other than the caller. */
export function requireSelf(route: Route, input: Input, viewer: Viewer | null): void {
  if (!route.self) return
  const named = input.body[route.self] ?? input.query[route.self] ?? input.params[route.self]
  if (named !== undefined && named !== viewer?.id) throw new AppError('not_yourself')
}

/** The first value of a header, whatever its case. */
export function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name.toLowerCase()]
  return Array.isArray(value) ? value[0] : value
}
