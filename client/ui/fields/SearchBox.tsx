import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { TextInput } from './TextInput.tsx'

/** How long the typing rests before it is searched for, in milliseconds (docs/product.md, Limits). */
const DEBOUNCE_MS = 200

type SearchBoxProps = {
  label: string
  placeholder: string
  /** What is searched for now. */
  value: string
  /** Told what is typed, trimmed, once it rests. */
  onChange: (search: string) => void
  maxLength: number
  className?: string | undefined
}

/** A field that searches while one types in it. */
export function SearchBox({ value, onChange, className, ...field }: SearchBoxProps) {
  const [typed, setTyped] = useState(value)
  const told = useRef(value)
  const seen = useRef(value)
  // It changed by itself: by going back, or by taking the filters away. What was told may take a while to come back.
  if (value !== seen.current) {
    seen.current = value
    if (value !== told.current) {
      told.current = value
      setTyped(value)
    }
  }
  const latest = useRef(onChange)
  latest.current = onChange
  useEffect(() => {
    const search = typed.trim()
    if (search === told.current) return
    const timer = setTimeout(() => {
      told.current = search
      latest.current(search)
    }, DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <TextInput
      {...field}
      className={className}
      type="search"
      leftSection={<IconSearch size={18} stroke={1.75} aria-hidden />}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
    />
  )
}
