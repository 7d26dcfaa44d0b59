declare module 's3rver' {
  import type { Server } from 'node:http'

  /** A server that speaks Amazon's S3 and keeps objects in a folder. */
  export default class S3rver {
    constructor(options: {
      address: string
      port: number
      directory: string
      silent: boolean
      configureBuckets: { name: string }[]
    })
    httpServer: Server
    run(): Promise<{ port: number }>
    close(): Promise<void>
  }
}
