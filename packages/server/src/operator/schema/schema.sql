-- Definitions that span several rooms.

-- Every event belongs to the account of its object; the code that writes it need not know which.
create function account_of_event() returns trigger language plpgsql as $$
  begin
    if new.wallet_id is null then
      new.wallet_id := case
        when new.object_type = 'user' then (select wallet_id from users where id = new.object_id)
        when new.object_type = 'domain' then (select wallet_id from domains where id = new.object_id)
        when new.object_type = 'room' then (select wallet_id from rooms where id = new.object_id)
        when new.object_type in ('group', 'resource', 'shared-folder')
          then (select wallet_id from directory_objects where id = new.object_id)
      end;
    end if;
    return new;
  end $$;

create trigger event_log_account before insert on event_log
  for each row execute function account_of_event();
