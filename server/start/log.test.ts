import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { createLog, logFormat } from './log.ts'

function written(LOG_FORMAT: 'json' | 'pretty'): string[] {
  const lines: string[] = []
  const log = createLog({ LOG_LEVEL: 'info', LOG_FORMAT }, (line) => lines.push(line))
  log.debug('not said')
  log.info({ part: 'http', ms: 3 }, 'ready')
  const error = Object.assign(new Error('broke'), { code: 'ECONNRESET', address: '203.0.113.9' })
  log.warn({ err: error }, 'idle database connection broke')
  return lines
}

test('a terminal gets short lines that say what is bad', () => {
  const [ready = '', warning = '', ...more] = written('pretty')
  expect(ready).toMatch(/^\d\d:\d\d:\d\d ready\n$/)
  expect(warning).toMatch(/^\d\d:\d\d:\d\d WARN idle database connection broke\n {2}Error: broke\n/)
  expect(warning).not.toContain('203.0.113.9')
  expect(more).toEqual([])
})

test('everything else gets JSON, a line each', () => {
  const [ready, warning] = written('json').map((line) => JSON.parse(line))
  expect(ready).toMatchObject({ level: 30, part: 'http', ms: 3, msg: 'ready' })
  expect(warning).toMatchObject({ level: 40, err: { code: 'ECONNRESET', message: 'broke' } })
  expect(JSON.stringify(warning)).not.toContain('203.0.113.9')
})

test('the setting decides, else whether it is a terminal', () => {
  expect(logFormat(readConfig({}), true)).toBe('pretty')
  expect(logFormat(readConfig({}), false)).toBe('json')
  expect(logFormat(readConfig({ LOG_FORMAT: 'json' }), true)).toBe('json')
  expect(logFormat(readConfig({ LOG_FORMAT: 'pretty' }), false)).toBe('pretty')
})

test('a warning of Node, and the error that nothing handles and ends the program, are lines of JSON', async () => {
  const script = `
    import { createLog, logProcessEvents } from '${pathToFileURL(join(import.meta.dirname, 'log.ts'))}'
    const settings = { LOG_LEVEL: 'info', LOG_FORMAT: 'json' }
    logProcessEvents(createLog(settings, (line) => process.stdout.write(line)))
    process.emitWarning('used up', 'OddWarning')
    setImmediate(() => { throw new Error('broke') })`
  const ended = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script])
  const { code, stdout, stderr } = await ended.then(
    (outputs) => ({ code: 0, ...outputs }),
    (error) => error as { code: number; stdout: string; stderr: string },
  )
  expect(code).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject({ level: 40, msg: 'used up', err: { type: 'OddWarning' } })
  expect(JSON.parse(stderr)).toMatchObject({ level: 60, err: { message: 'broke' } })
})
