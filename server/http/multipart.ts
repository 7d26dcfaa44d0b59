import multipart, { type MultipartFile } from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import type { UploadedFiles } from '../handler.ts'
import { drain } from '../streams/refused-body.ts'

const MEGABYTE = 1024 * 1024

/** A form's limits: two pictures and a few fields. */
const LIMITS = {
  files: 2,
  fileSize: 10 * MEGABYTE,
  fields: 20,
  fieldSize: 64 * 1024,
  fieldNameSize: 100,
  parts: 22,
}

/** Lets only the routes of this scope read `multipart/form-data`. */
export async function acceptForms(scope: FastifyInstance): Promise<void> {
  await scope.register(multipart, { limits: LIMITS })
}

/**
 * The fields and files of a form; the fields of a JSON body are passed on as they are. Throws `malformed_body` for a
 * repeated name or anything over `LIMITS`.
 */
export async function readForm(request: FastifyRequest): Promise<{ fields: unknown; files: UploadedFiles }> {
  if (!request.isMultipart()) return { fields: request.body, files: new Map() }
  try {
    return await readParts(request)
  } catch (error) {
    request.raw.unpipe()
    drain(request.raw)
    throw error
  }
}

async function readParts(request: FastifyRequest): Promise<{ fields: unknown; files: UploadedFiles }> {
  const files: UploadedFiles = new Map()
  const fields = new Map<string, string>()
  for await (const part of request.parts()) {
    if (fields.has(part.fieldname) || files.has(part.fieldname)) throw new AppError('malformed_body')
    if (part.type === 'file') {
      const bytes = await bytesOf(part)
      // An empty file input sends a file without name and bytes.
      if (bytes.length > 0 || part.filename) files.set(part.fieldname, bytes)
    } else {
      if (part.valueTruncated || part.fieldnameTruncated) throw new AppError('body_too_large')
      // Forms send each line break as two characters; people typed one.
      fields.set(part.fieldname, String(part.value).replaceAll('\r\n', '\n'))
    }
  }
  return { fields: Object.fromEntries(fields), files }
}

/** Fails as soon as the limit is reached: the part's own `toBuffer` waits for an end that may never come. */
function bytesOf({ file }: MultipartFile): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    file.on('data', (piece: Buffer) => pieces.push(piece))
    file.once('limit', () => reject(new AppError('upload_too_large')))
    file.once('end', () => resolve(Buffer.concat(pieces)))
    file.once('error', reject)
    file.once('close', () => reject(new AppError('malformed_body')))
  })
}
