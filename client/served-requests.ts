/** The page's XMLHttpRequests, and how the test's server and connection answer. */
export type ServedRequest = {
  address: string
  headers: Headers
  body: Blob | FormData
  /** So many bytes are sent. */
  progress(bytes: number): void
  answer(status: number, body: object): void
  /** The line breaks. */
  fail(): void
  isAborted(): boolean
}

/** A replacement for the browser's XMLHttpRequest: `serve` gets each request as it is sent. */
export function requestsTo(serve: (request: ServedRequest) => void) {
  return class extends EventTarget {
    readonly upload = new EventTarget()
    status = 0
    responseText = ''
    #address = ''
    #headers = new Headers()
    #aborted = false

    open(_method: string, address: string): void {
      this.#address = address
    }
    setRequestHeader(name: string, value: string): void {
      this.#headers.set(name, value)
    }
    getAllResponseHeaders(): string {
      return 'content-type: application/json\r\nx-note: one: two\r\n'
    }
    abort(): void {
      this.#aborted = true
      this.dispatchEvent(new Event('abort'))
    }
    send(body: Blob | FormData): void {
      serve({
        address: this.#address,
        headers: this.#headers,
        body,
        progress: (bytes) =>
          this.upload.dispatchEvent(Object.assign(new Event('progress'), { loaded: bytes })),
        answer: (status, answer) => {
          this.status = status
          this.responseText = JSON.stringify(answer)
          this.dispatchEvent(new Event('load'))
        },
        fail: () => this.dispatchEvent(new Event('error')),
        isAborted: () => this.#aborted,
      })
    }
  }
}
