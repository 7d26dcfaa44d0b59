import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, errorMessage } from '../../../lib/api.ts'
import { TextField } from '../../../ui/Field.tsx'
import { FieldPair, Form } from '../../../ui/Form.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { Section } from '../../../ui/Page.tsx'
import { toast } from '../../../ui/toast.ts'
import { SENATE, senatorsQuery } from '../senate.ts'
import { useSetSenators } from './api.ts'

/** Where the operator corrects the senators that visitors in restricted regions are shown (docs/product.md, Pages). */
export function SenatorEditor() {
  const { data } = useQuery(senatorsQuery)
  const [code, setCode] = useState('')
  const state = data?.items.find((item) => item.code === code)
  return (
    <Section title="Senators">
      <NativeSelect
        label="State"
        description="Visitors in a restricted state are shown whom to call. Correct it after an election."
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
        data={[
          { value: '', label: 'Choose a state' },
          ...SENATE.map(({ code: value, name }) => ({ value, label: name })),
        ]}
        maw="31rem"
        size="md"
        mb="lg"
      />
      {state && <Seats key={code} code={code} seats={state.senators} />}
    </Section>
  )
}

function Seats({ code, seats }: { code: string; seats: { name: string; telephone: string }[] }) {
  const [senators, setSenators] = useState(seats)
  const [reason, setReason] = useState('')
  const save = useSetSenators()
  const errors = save.error instanceof ApiError ? save.error.details : {}
  const set = (seat: number, field: 'name' | 'telephone') => (text: string) =>
    setSenators((current) => current.map((one, index) => (index === seat ? { ...one, [field]: text } : one)))
  const submit = () =>
    save.mutate(
      { code, senators, reason },
      {
        onSuccess: () => {
          setReason('')
          toast.success('The list was corrected.')
        },
      },
    )
  return (
    <Form onSubmit={submit}>
      {senators.map((senator, seat) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a seat is its place.
        <FieldPair key={seat}>
          <TextField
            label={`Senator ${seat + 1}`}
            value={senator.name}
            onChange={set(seat, 'name')}
            error={errors[`senators.${seat}.name`]}
            required
          />
          <TextField
            label={`Telephone ${seat + 1}`}
            value={senator.telephone}
            onChange={set(seat, 'telephone')}
            error={errors[`senators.${seat}.telephone`]}
            required
          />
        </FieldPair>
      ))}
      <TextField
        label="Reason"
        description="Such as the election; kept in the audit log."
        value={reason}
        onChange={setReason}
        error={errors.reason}
        required
      />
      <FormError>
        {save.error && Object.keys(errors).length === 0 ? errorMessage(save.error) : null}
      </FormError>
      <Button type="submit" loading={save.isPending}>
        Save senators
      </Button>
    </Form>
  )
}
