unit Ants;

interface

const
  MAX_MEMORY = 32; // Размер памяти вашего муравья
type
  // Все возможные действия муравья
  TAntActionType = (
    aaMoveUp, aaMoveLeft, aaMoveDown, aaMoveRight, // передвижение
    aaBiteUp, aaBiteLeft, aaBiteDown, aaBiteRight, // кусание
    aaGet, aaPut); // манипуляция с едой

  // Показания органа чувств муравья.
  // Орган чувств возвращает информацию об одной клетке игрового поля
  TAntSensor = record
    smell: Integer; // оттенок запаха
    smellIntensity: Integer; // интенсивность запаха
    isFriend: Boolean; // наличие "своего" муравья
    isEnemy: Boolean; // наличие "чужого" муравья
    isMyHill: Boolean;  // наличие "своего" муравейника
    isEnemyHill: Boolean;  // наличие "чужого" муравейника
    isFood: Boolean; // наличие еды
    isWall: Boolean; // наличие стены
  end;

  // Действие муравья на текущем ходу  
  TAntAction = record
    actionType: TAntActionType; // передвижение, кусание или манипуляция с едой
    putSmell: Boolean; // оставить ли запах на клетке
    smell: Integer; // оттенок оставляемого муравьём запаха
  end;

  // Показания всех сенсоров муравья для ближайших 9 клеток к муравью.
  // sensors[-1, -1] - информация о левой верхней соседней клетке
  // sensors[1, -1] - информация о правой верхней соседней клетке
  // sensors[1, 1] - информация о правой нижней соседней клетке
  // и т.д.
  TSensors = array[-1..1, -1..1] of TAntSensor;

  // Память муравья
  PMemory = ^TMemory;
  TMemory = array[0..MAX_MEMORY-1] of Byte;

implementation

end.
