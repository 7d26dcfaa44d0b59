import { type Kysely, sql } from 'kysely'

/**
 * Adjustments of the books from documents of outside, each once and between the platform's own accounts alone, with the
 * journal that posts one. The account for refunds on their way goes, as nothing is posted to it (decision 037).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table adjustments (
      id uuid primary key default uuidv7(),
      from_account text not null
        check (from_account in ('bank', 'gateway', 'processor_fees', 'dispute_fees', 'suspense')),
      to_account text not null
        check (to_account in ('bank', 'gateway', 'processor_fees', 'dispute_fees', 'suspense')),
      amount_cents bigint not null check (amount_cents > 0),
      currency text not null default 'usd' check (currency ~ '^[a-z]{3}$'),
      livemode boolean not null default installation_livemode(),
      -- The document's own number, and its day.
      reference text not null check (length(reference) between 1 and 100 and reference = btrim(reference)),
      dated date not null,
      reason text not null,
      status text not null default 'proposed' check (status in ('proposed', 'posted', 'declined')),
      proposed_by uuid not null references users (id),
      proposed_at timestamptz not null,
      decided_by uuid references users (id),
      decided_at timestamptz,
      decision_reason text,
      check (from_account <> to_account),
      check ((status = 'proposed') = (decided_at is null)),
      check ((decided_at is null) = (decided_by is null) and (decided_at is null) = (decision_reason is null))
    );
    -- What was declined may be entered again, as it ought to be.
    create unique index adjustments_reference on adjustments (lower(reference), livemode) where status <> 'declined';
    create index adjustments_newest on adjustments (proposed_at desc, id desc);
    create index adjustments_open on adjustments (proposed_at desc, id desc) where status = 'proposed';
    create index adjustments_proposed_by on adjustments (proposed_by);
    create index adjustments_decided_by on adjustments (decided_by) where decided_by is not null;

    create function adjustment_changes() returns trigger language plpgsql as $$
    begin
      if old.status <> 'proposed' or
          (new.id, new.from_account, new.to_account, new.amount_cents, new.currency, new.livemode, new.reference, new.dated,
            new.reason, new.proposed_by, new.proposed_at) is distinct from
          (old.id, old.from_account, old.to_account, old.amount_cents, old.currency, old.livemode, old.reference, old.dated,
            old.reason, old.proposed_by, old.proposed_at) then
        raise exception 'an adjustment is decided once, and stays as it was proposed'
          using errcode = 'integrity_constraint_violation';
      end if;
      return new;
    end $$;
    create trigger adjustments_change before update on adjustments
      for each row execute function adjustment_changes();
    create trigger adjustments_no_delete before delete on adjustments
      for each row execute function refuse_change();
    create trigger adjustments_no_truncate before truncate on adjustments
      for each statement execute function refuse_change();

    alter table journals
      drop constraint journals_source_type_check,
      add constraint journals_source_type_check check (source_type in (
        'payment', 'refund', 'dispute', 'payout', 'release', 'settlement', 'commission', 'adjustment', 'document')),
      add constraint journals_document_check
        check (source_type <> 'document' or (kind = 'adjustment' and order_id is null));

    create function document_is_as_proposed() returns trigger language plpgsql as $$
    begin
      if (select count(*) from postings where journal_id = new.id) <> 2 or exists (
        select from postings join ledger_accounts as account on account.id = account_id
          left join adjustments as stated on stated.id = new.source_id and stated.status = 'posted'
            and stated.livemode = new.livemode
        where journal_id = new.id and (account.user_id is not null or not coalesce(
          (account.kind, account.currency, postings.amount_cents) in (
            (stated.to_account, stated.currency, stated.amount_cents),
            (stated.from_account, stated.currency, -stated.amount_cents)), false))
      ) then
        raise exception 'journal % is other than its adjustment', new.id using errcode = 'integrity_constraint_violation';
      end if;
      return null;
    end $$;
    -- At the end, when all its lines are there; nothing can be added to it later.
    create constraint trigger journals_document after insert on journals deferrable initially deferred
      for each row when (new.source_type = 'document') execute function document_is_as_proposed();

    alter table ledger_accounts drop constraint ledger_accounts_kind_check, add constraint ledger_accounts_kind_check
      check (kind in (
        'gateway', 'bank', 'processor_fees', 'platform_fees', 'creator_pending', 'creator_available', 'creator_reserve',
        'referrer_pending', 'referrer_available', 'referrer_reserve', 'payout_in_transit', 'dispute_clearing', 'dispute_fees',
        'dispute_losses', 'suspense'));
  `.execute(db)
}
