import { type Kysely, sql } from 'kysely'

/** Cards that people manage: their expiry and removal, cards being added, and each use of a card that limits count. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table stored_cards
      -- As YYYY-MM; null until the gateway was asked.
      add column expires text check (expires ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
      add column described_at timestamptz,
      add column used_at timestamptz,
      -- From here on the card pays nothing; the row stays until the gateway has forgotten it too.
      add column removed_at timestamptz,
      -- Since then the gateway may have forgotten it, so that it can't be taken back.
      add column deletion_sent_at timestamptz,
      add column deletion_attempts integer not null default 0,
      add column deletion_due_at timestamptz,
      add check ((removed_at is null) = (deletion_due_at is null)),
      add check (deletion_sent_at is null or removed_at is not null);
    update stored_cards set used_at = created_at;
    alter table stored_cards alter column used_at set not null;
    create index stored_cards_to_delete on stored_cards (deletion_due_at) where removed_at is not null;
    create index stored_cards_to_describe on stored_cards (created_at) where described_at is null;
    create index subscriptions_stored_card on subscriptions (stored_card_id) where stored_card_id is not null;

    create table card_additions (
      id uuid primary key default uuidv7(),
      user_id uuid not null references users (id) on delete cascade,
      -- The card whose place it takes.
      replaces_id uuid references stored_cards (id) on delete set null,
      status text not null default 'submitting' check (status in ('submitting', 'stored', 'declined', 'refused', 'unknown')),
      reason text,
      stored_card_id uuid references stored_cards (id) on delete set null,
      livemode boolean not null default installation_livemode(),
      idempotency_key text,
      request_hash text,
      created_at timestamptz not null,
      decided_at timestamptz,
      check ((status in ('submitting', 'unknown')) = (decided_at is null))
    );
    create unique index card_additions_one_open on card_additions (user_id) where status in ('submitting', 'unknown');
    create unique index card_additions_idempotency on card_additions (user_id, idempotency_key) where idempotency_key is not null;

    -- Under the id of the payment or the addition that it is.
    create table card_attempts (
      id uuid primary key,
      user_id uuid not null references users (id) on delete cascade,
      -- A keyed hash of the address, in IPv6 of its /64.
      network text not null,
      creator_id uuid references users (id) on delete set null,
      stored_card_id uuid references stored_cards (id) on delete set null,
      created_at timestamptz not null,
      declined_at timestamptz
    );
    create index card_attempts_user on card_attempts (user_id, created_at);
    create index card_attempts_network on card_attempts (network, created_at);
    create index card_attempts_creator on card_attempts (creator_id, created_at);
    create index card_attempts_card on card_attempts (stored_card_id, created_at);
    create index card_attempts_age on card_attempts (created_at);

    alter table payments add column off_session boolean not null default false;
    update payments set off_session = true where stored_card_id is not null and not save_card;

    -- A renewal stays owed while its fan tries to subscribe at a new price.
    drop index orders_one_open;
    create unique index orders_one_open on orders (buyer_id, kind, item_id) where status = 'open' and subscription_id is null;
    create index orders_open on orders (buyer_id, kind, item_id) where status = 'open';
  `.execute(db)
}
