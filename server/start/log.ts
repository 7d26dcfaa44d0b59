import pino, { type Logger } from 'pino'
import type { Config } from '../config.ts'
import { StartError } from '../errors.ts'

/** Readable lines for a terminal, JSON for everything that collects logs, unless `LOG_FORMAT` says otherwise. */
export function logFormat(
  { LOG_FORMAT }: { LOG_FORMAT?: string | undefined },
  isTerminal: boolean,
): 'json' | 'pretty' {
  return LOG_FORMAT === 'json' || LOG_FORMAT === 'pretty' ? LOG_FORMAT : isTerminal ? 'pretty' : 'json'
}

/** Of an error only what finds its place: its other fields carry addresses and values of rows. */
export function createLog(
  { LOG_LEVEL, LOG_FORMAT }: { LOG_LEVEL: Config['LOG_LEVEL']; LOG_FORMAT: 'json' | 'pretty' },
  write: (line: string) => void,
): Logger {
  return pino(
    {
      level: LOG_LEVEL,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: {
        err: (error: Error & { code?: string }) => ({
          type: error.name,
          code: error.code,
          message: error.message,
          stack: error.stack,
        }),
      },
    },
    { write: LOG_FORMAT === 'pretty' ? (line) => write(readable(line)) : write },
  )
}

/** Writes what ends the program to standard error: the operator's sentence or the stack as it is, or one line of JSON. */
export function logFatal(error: Error, LOG_FORMAT: 'json' | 'pretty'): void {
  const isOperators = error instanceof StartError
  if (LOG_FORMAT === 'pretty') {
    process.stderr.write(`${isOperators ? error.message : error.stack}\n`)
    return
  }
  const log = createLog({ LOG_LEVEL: 'error', LOG_FORMAT }, (line) => process.stderr.write(line))
  if (isOperators) log.fatal(error.message)
  else log.fatal({ err: error }, 'The program ended by an error that nothing handles')
}

/** Has Node's warnings, and an error that nothing handles, written as JSON in place of plain text. */
export function logProcessEvents(log: Logger): void {
  process.removeAllListeners('warning')
  process.on('warning', (warning) => log.warn({ err: warning }, warning.message))
  process.on('uncaughtException', (error) => {
    logFatal(error, 'json')
    process.exit(1)
  })
}

const INFO = 30

type Entry = { level: number; time: string; msg?: string; err?: { message: string; stack?: string } }

/** Time, how bad it is, what happened, and of an error where. */
function readable(line: string): string {
  const { level, time, msg = '', err } = JSON.parse(line) as Entry
  const { labels } = pino.levels
  const severity = level > INFO ? `${labels[level]?.toUpperCase()} ` : ''
  const cause = err ? `\n  ${err.stack ?? err.message}` : ''
  return `${time.slice(11, 19)} ${severity}${msg}${cause}\n`
}
