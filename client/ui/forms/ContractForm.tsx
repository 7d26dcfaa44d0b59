import { useForm } from '@mantine/form'
import { type MutationMeta, useMutation } from '@tanstack/react-query'
import { type FocusEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import type { z } from 'zod'
import type { Output, Route } from '../../../contract/route.ts'
import { call } from '../../lib/api.ts'
import type { ClientRoute } from '../../lib/routes.ts'
import { useDialogWaits, useUnsaved } from '../../lib/unsaved.ts'
import { Form } from '../Form.tsx'
import {
  contractErrors,
  errorsAtFields,
  type FieldErrors,
  generalError,
  withoutField,
} from './form-errors.ts'

/** What the form makes up: the body of its call, or the query of one that only reads. */
type Sent<R extends Route> = R['body'] extends z.ZodType
  ? z.input<R['body']>
  : R['query'] extends z.ZodType
    ? z.input<R['query']>
    : undefined

/** What the build makes of a call with a schema: the schema comes by itself when it is asked for (client/build/call-addresses.ts). */
type Late<R extends Route> = R & { whole?: () => Promise<R> }

type ContractFormOptions<R extends Route, Values, Answer> = {
  /** What the form holds at first; its keys are the fields that errors are said at. */
  initial: Values
  /** What is sent of it, where that is not the same; `kept` is what the server has. */
  body?: (values: Values, kept: Values) => { [Name in keyof Sent<R>]?: unknown }
  /** What the contract can't know, by field. */
  check?: (values: Values) => FieldErrors
  /** Sends it; the call itself unless told. */
  send?: (body: Sent<R>, values: Values) => Promise<Answer>
  onSuccess?: (answer: Answer, sent: Values) => void
  /** What is kept then, and what the form shows: what was typed unless told. */
  afterSaved?: (answer: Answer, sent: Values, now: Values) => { saved: Values; values: Values }
  meta?: MutationMeta
  /** What is said of a failure that belongs to no field. */
  sentence?: (error: unknown) => string
  /** The field that the path of an error is about, where the names differ. */
  pathOf?: (path: string, values: Values) => string
  /** Whether nothing would be lost between these, where being equal is not what counts. */
  isSame?: (one: Values, other: Values) => boolean
  /** What leaving the page would lose; null for what is typed in a moment. */
  lost: string | null
}

/** A form as `useContractForm` holds it. */
export type ContractFormState<Values, Answer = unknown> = {
  values: Values
  /** Value, error and listeners of one field. */
  field<Name extends keyof Values & string>(
    name: Name,
  ): {
    name: Name
    value: Values[Name]
    onChange: (value: Values[Name]) => void
    onBlur: (event?: FocusEvent) => void
    error: string | undefined
  }
  set<Name extends keyof Values & string>(
    name: Name,
    value: Values[Name] | ((before: Values[Name]) => Values[Name]),
  ): void
  /** What is wrong at a path within a field, such as `links.2.text`. */
  errorAt(path: string): string | undefined
  /** What went wrong with the form as a whole; what is said at a field is not said again. */
  error: string | null
  /** What the call failed with, for who needs more than a sentence. */
  failure: unknown
  pending: boolean
  /** The answer to what was sent last, until something is changed. */
  answer: Answer | undefined
  /** Something differs from what is kept. */
  dirty: boolean
  submit(): void
  /** Says what is wrong at one field, as `check` finds it; answers whether nothing is. Nothing is sent. */
  isRight(name: keyof Values & string): boolean
  /** Back to the start, or to these values. */
  reset(values?: Values): void
  element: RefObject<HTMLFormElement | null>
}

/**
 * The state of a form that makes one call: checked by the contract before it is sent, what the server says stands at
 * its field until that is corrected, the first error has the focus, and leaving asks while something would be lost.
 */
export function useContractForm<R extends Route, Values extends object, Answer = Output<R>>(
  route: Late<R>,
  options: ContractFormOptions<R, Values, Answer>,
): ContractFormState<Values, Answer> {
  const fetched = useRef<R | null>(null)
  const waiting = useRef(false)
  /** The call with its schema; null until that is here. A form may come to make another call. */
  const whole = (): R | null => {
    if (!route.whole) return route
    return fetched.current?.path === route.path ? fetched.current : null
  }
  /** The schema is asked for by the first letter; one that can't be had leaves the checking to the server. */
  const prepare = async () => {
    if (!whole()) fetched.current = (await route.whole?.().catch(() => null)) ?? null
  }
  const { initial, check, afterSaved, pathOf, isSame, lost } = options
  const element = useRef<HTMLFormElement>(null)
  const fields = Object.keys(initial)
  const atPaths = (found: FieldErrors, values: Values) =>
    pathOf
      ? Object.fromEntries(Object.entries(found).map(([path, text]) => [pathOf(path, values), text]))
      : found
  const sentOf = (values: Values) => (options.body?.(values, form.getInitialValues()) ?? values) as Sent<R>
  const wrongIn = (values: Values): FieldErrors => ({
    ...atPaths(contractErrors(whole()?.body ?? whole()?.query, sentOf(values), fields), values),
    ...check?.(values),
  })
  const form = useForm<Values>({ initialValues: initial, validate: wrongIn })
  const errors = form.errors as FieldErrors

  // Tries that ended: refused here, or answered.
  const [rounds, setRounds] = useState(0)
  const mutation = useMutation({
    mutationFn: async (values: Values) => {
      const sent = sentOf(values)
      if (options.send) return options.send(sent, values)
      const input = route.method === 'GET' ? { query: sent } : { body: sent }
      return (await call(route as ClientRoute<Route>, input as never)) as Answer
    },
    ...(options.meta ? { meta: options.meta } : {}),
    onSuccess: (answer, sent) => {
      const now = form.getValues()
      const { saved, values } = afterSaved?.(answer, sent, now) ?? { saved: sent, values: now }
      if (values !== now) form.setValues(values)
      form.resetDirty(saved)
      release()
      setRounds((count) => count + 1)
      options.onSuccess?.(answer, sent)
    },
    onError: (error, sent) => {
      form.setErrors(atPaths(errorsAtFields(error, fields), sent))
      setRounds((count) => count + 1)
    },
  })
  const { isPending } = mutation
  const kept = form.getInitialValues()
  const dirty = isSame ? !isSame(form.values, kept) : form.isDirty()
  const release = useUnsaved(dirty ? lost : null, rounds)
  useDialogWaits(isPending)

  const followed = useRef(0)
  useEffect(() => {
    if (isPending || followed.current === rounds) return
    followed.current = rounds
    const wrong = element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    if (wrong) wrong.focus()
    // A field that went meanwhile has lost the focus to the page; Safari gives none to a button that is clicked.
    else if (document.activeElement === document.body) focusSubmit(element.current)
  }, [isPending, rounds])

  const set: ContractFormState<Values>['set'] = (name, value) => {
    void prepare()
    const before = check?.(form.getValues()) ?? {}
    form.setFieldValue(name as never, value as never)
    const after = check?.(form.getValues()) ?? {}
    // What was wrong at another field may be mended here: the end of a range by its start.
    const mended = Object.keys(before).filter((path) => !(path in after))
    form.setErrors((now) => {
      const left = withoutField(now as FieldErrors, name)
      for (const path of mended) delete left[path]
      return left
    })
    if (!isPending && !mutation.isIdle) mutation.reset()
  }
  return {
    values: form.values,
    set,
    field: (name) => ({
      name,
      value: form.values[name],
      onChange: (value) => set(name, value),
      onBlur: (event) => {
        // Half-way to a button nothing moves; what is empty may still be filled in.
        const away = event?.relatedTarget
        const typed: unknown = form.values[name]
        if (away instanceof HTMLButtonElement || typeof typed !== 'string' || typed === '') return
        const found = wrongIn(form.values)[name]
        if (found) form.setFieldError(name as never, found)
      },
      error: errors[name],
    }),
    errorAt: (path) => errors[path],
    error: generalError(mutation.error, fields, options.sentence),
    failure: mutation.error,
    pending: isPending,
    answer: mutation.data,
    dirty,
    submit: () => {
      if (isPending) return
      const check = form.onSubmit(
        (values) => mutation.mutate(values),
        () => setRounds((count) => count + 1),
      )
      if (whole()) return check()
      if (waiting.current) return
      waiting.current = true
      void prepare().then(() => {
        waiting.current = false
        check()
      })
    },
    isRight: (name) => {
      const found = check?.(form.getValues())[name]
      if (found === undefined) return true
      form.setFieldError(name as never, found)
      setRounds((count) => count + 1)
      return false
    },
    reset: (values = initial) => {
      mutation.reset()
      form.setValues(values)
      form.resetDirty(values)
    },
    element,
  }
}

type ContractFormProps = {
  form: Pick<ContractFormState<never>, 'submit' | 'element'>
  label?: string
  className?: string | undefined
  children: ReactNode
}

/** Moves the focus to the button that sends a form, where the one that had it goes. */
export function focusSubmit(form: HTMLFormElement | null): void {
  form?.querySelector<HTMLElement>('[type="submit"]')?.focus()
}

/** The form element of what `useContractForm` holds. */
export function ContractForm({ form, ...rest }: ContractFormProps) {
  return <Form ref={form.element} onSubmit={form.submit} {...rest} />
}
