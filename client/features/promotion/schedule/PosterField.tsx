import { useQuery } from '@tanstack/react-query'
import { SelectField } from '../../../ui/fields/SelectField.tsx'
import { queueQuery } from '../timeline/api.ts'
import { posterTexts as texts } from './texts.ts'

/** Which account posts, or that the person does it by hand; without an account, the first that is connected. */
export type Poster = { accountId: string | null; byHand: boolean }

const BY_HAND = 'byHand'

type PosterFieldProps = {
  value: Poster
  onChange: (poster: Poster) => void
  /** Whether no account is meant until one is chosen. */
  asks?: boolean
  error?: string | undefined
}

/** A choice between the connected accounts and posting by hand. */
export function PosterField({
  value: { accountId, byHand },
  onChange,
  asks = false,
  error,
}: PosterFieldProps) {
  const { data } = useQuery(queueQuery)
  const accounts = (data?.accounts ?? []).filter(
    ({ _id, state }) => state !== 'disconnected' || _id === accountId,
  )
  const usual = accountId ?? (asks ? '' : (accounts[0]?._id ?? ''))
  return (
    <SelectField
      label={texts.poster}
      value={byHand ? BY_HAND : usual}
      error={error}
      description={byHand ? texts.byHandHint : undefined}
      onChange={(value) =>
        onChange(value === BY_HAND ? { accountId, byHand: true } : { accountId: value, byHand: false })
      }
      choices={[
        ...(usual === '' && !byHand ? [{ value: '', label: asks ? texts.choose : texts.firstAccount }] : []),
        ...accounts.map(({ _id, name }) => ({ value: _id, label: texts.account(name) })),
        { value: BY_HAND, label: texts.byHand },
      ]}
    />
  )
}
